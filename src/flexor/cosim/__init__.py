"""Several simulators that compute one mechanical system together; see docs/how-to/co-simulation.md.

tlm/           transmission lines: their theory, the protocol, plugin and manager
meta_model/    which components there are and how they are connected, in XML or YAML
component/     Flexor's own engine, and FMUs, as components
multi_model/   several Flexor models with an exact interface, in one process
c/             the client for programs in C
"""
