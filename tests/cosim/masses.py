"""Meta-models of masses in one dimension."""

from __future__ import annotations

import itertools

from flexor.cosim.meta_model import Connection, InterfacePoint, MetaModel, SubModel


def pair(delay: float = 1e-3, zf: float = 100.0, stop: float = 0.05, exact: bool = True, **command: str) -> MetaModel:
    """Two masses and a line; command: start commands by name."""
    return chain(2, delay=delay, zf=zf, stop=stop, exact=exact, **command)


def chain(
    n: int,
    *,
    delay: float = 1e-3,
    zf: float = 100.0,
    stop: float = 0.05,
    exact: bool = True,
    ring: bool = False,
    **command: str,
) -> MetaModel:
    """n masses in a row, or in a ring; named a, b, c …, interfaces left and right, or p where there is one only."""
    names = "abcdefgh"[:n]
    many = n > 2
    left, right = ("left", "right") if many else ("p", "p")
    lines = [Connection(f"{a}.{right}", f"{b}.{left}", delay=delay, zf=zf) for a, b in itertools.pairwise(names)]
    if ring:
        lines.append(Connection(f"{names[-1]}.right", f"{names[0]}.left", delay=delay, zf=zf))
    used = [end for line in lines for end in (line.a, line.b)]
    subs = [
        SubModel(
            name,
            command.get(name, ""),
            exact_step=exact,
            interface_points=[
                InterfacePoint(i, dimensions=1) for i in dict.fromkeys((left, right)) if f"{name}.{i}" in used
            ],
        )
        for name in names
    ]
    return MetaModel("masses", subs, lines, stop_time=stop)
