"""Random sound models: a tree of bodies on joints, with forces, motors and all kinds of functions."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

import flexor as fx
from flexor.joints import JOINTS, Joint
from flexor.spatial import direction

numbers = st.floats(-1e6, 1e6, allow_subnormal=False)
positive = st.floats(1e-6, 1e6)
small = st.floats(-0.4, 0.4)
angles = st.floats(-3.0, 3.0)
triples = st.tuples(small, small, small)
letters = st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"])
names = st.text(letters, min_size=1, max_size=12).filter(
    lambda name: "." not in name and name == name.strip() and name != "ground"
)
rotations = st.one_of(
    st.builds(lambda axis, angle: {"axis": axis, "angle": angle}, st.sampled_from(["x", "-y", (1, 2, 3)]), angles),
    st.builds(lambda angles: {"euler": "zxz", "angles": angles}, triples),
)
directions = st.one_of(
    st.sampled_from(["x", "y", "z", "-x", "-y", "-z"]), triples.filter(lambda v: max(map(abs, v)) > 1e-3)
)


def _table(points):
    x, y = zip(*sorted(points.items()), strict=True)
    return fx.Table(x, y, kind="akima" if len(x) > 4 else "linear")


simple_functions = st.one_of(
    numbers.map(fx.Constant),
    st.builds(lambda a, b, c: fx.Ramp(a, b, over=c, smooth="cosine"), numbers, numbers, positive),
    st.builds(lambda a, b: fx.Step(a, b, at=0.5), numbers, numbers),
    st.lists(numbers, min_size=1, max_size=4).map(fx.Polynomial),
    st.dictionaries(st.integers(-50, 50).map(float), numbers, min_size=2, max_size=6).map(_table),
    st.sampled_from(["2*sin(3*t)", "if(t < 1, t, 1)", "5 - t"]).map(fx.Expression),
)
functions = st.one_of(
    simple_functions,
    st.lists(simple_functions, min_size=1, max_size=3).map(fx.Sum),
    st.tuples(numbers, simple_functions).map(lambda pair: fx.Scaled(*pair)),
    st.lists(simple_functions, min_size=2, max_size=3).map(fx.Product),
)


@st.composite
def markers(draw):
    point = draw(triples)
    return fx.Marker(point, draw(rotations)) if draw(st.booleans()) else fx.Marker(point)


@st.composite
def bodies(draw, name):
    moment = draw(st.floats(1e-3, 10.0))
    shapes = [
        fx.Box(1, 2, "30 mm"),
        fx.Cylinder(0.1, 0.2, axis=draw(directions)),
        fx.Sphere("5 cm", color="#ff0000"),
        fx.Plane("x", size=2),
        fx.Torus(0.2, "1 cm", inside=True),
        fx.Cone(0.1, 0.2, top="5 mm", axis=draw(directions)),
        fx.Revolved(fx.Profile([(0.1, -0.1), (0.12, 0), (0.1, 0.1)], kind="arcs")),
        fx.Extruded(fx.Profile([(0.1, 0), (0, 0.1), (-0.1, 0)], closed=True), "3 cm"),
        fx.Triangles([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]),
    ]
    return fx.RigidBody(
        name,
        draw(positive),
        draw(
            st.sampled_from([moment, (moment, moment, 1.5 * moment), (moment, moment, moment, 0.1 * moment, 0.0, 0.0)])
        ),
        center_of_mass=draw(triples),
        markers=draw(
            st.dictionaries(
                st.text(letters, min_size=1, max_size=5).filter(lambda name: name.strip() == name),
                markers(),
                max_size=2,
            )
        ),
        shapes=draw(st.lists(st.sampled_from(shapes), max_size=2)),
    )


@st.composite
def attachments(draw, body):
    if body is fx.ground or draw(st.booleans()):
        return body.at(*draw(triples), orientation=draw(st.none() | rotations))
    return body[draw(st.sampled_from(list(body.markers)))] if body.markers else body


@st.composite
def joints(draw, name, a, b):
    kind = draw(st.sampled_from([kind for kind in JOINTS if issubclass(kind, Joint)]))
    fields = {}
    if "axis" in kind.model_fields:
        fields["axis"] = draw(directions)
    if "cross_axis" in kind.model_fields:
        axis = direction(fx.Revolute("probe", "a", "b", axis=fields["axis"]).axis)
        fields["cross_axis"] = np.cross(axis, np.eye(3)[np.argmin(np.abs(axis))])
    locked = draw(st.sets(st.sampled_from(kind.variables), max_size=2)) if kind.variables and not kind.bisecting else ()
    fields["locked"] = sorted(locked)
    if draw(st.booleans()):
        fields["start"] = [draw(small) for _ in range(len(kind.variables) - len(locked))]
    if draw(st.booleans()):
        fields["start_rate"] = [draw(small) for _ in range(len(kind.variables) - len(locked))]
    ways = ["auto", "multipliers"] if kind.bisecting else ["auto", "multipliers", "elimination"]
    fields["enforcement"] = draw(st.sampled_from(ways))
    return kind(name, draw(attachments(a)), draw(attachments(b)), **fields)


@st.composite
def models(draw):
    fresh = iter(draw(st.lists(names, min_size=14, max_size=14, unique=True)))
    tree = [fx.ground]
    items = []
    for _ in range(draw(st.integers(1, 4))):
        body = draw(bodies(next(fresh)))
        if draw(st.integers(0, 3)) == 0:  # a free body
            body = body.replace(position=draw(triples), orientation=draw(rotations), velocity=draw(triples))
        else:
            joint = draw(joints(next(fresh), draw(st.sampled_from(tree)), body))
            items.append(joint)
            if joint.variables and joint.start_rate is None and draw(st.booleans()):
                variable = draw(st.sampled_from(joint.variables))
                driver = {"speed": draw(functions), "variable": variable}
                items.append(fx.Motor(next(fresh), joint.name, **driver))
        tree.append(body)
        items.append(body)
    target = tree[-1]
    items.append(
        fx.AxialSpring(next(fresh), fx.ground.at(3, 0, 0), target, stiffness=draw(positive), force=draw(functions))
    )
    items.append(
        fx.PointForce(next(fresh), draw(attachments(target)), direction=draw(directions), force=draw(functions))
    )
    items = draw(st.permutations(items))
    return fx.Model(draw(names), items, gravity=draw(triples), description=draw(st.text(letters, max_size=20)))
