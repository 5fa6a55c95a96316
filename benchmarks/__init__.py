"""Side-by-side timings of Flexor and its peers. Run with ``python -m benchmarks <name>``.

Timings depend on the machine and are never asserted in tests.
"""
