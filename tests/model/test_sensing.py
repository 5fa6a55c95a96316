"""The mistakes of sensors are told together with all others, and nobody is blamed for those of others."""

from __future__ import annotations

import pytest

from flexor.errors import ModelError
from flexor.model.file import read_text

SOUND = """
name: m
items:
  - {type: rigid_body, name: disc, mass: 5, inertia: 0.1, markers: {tip: [1, 0, 0]}}
  - {type: rigid_body, name: drum, mass: 5, inertia: 0.1}
  - {type: revolute, name: pin, a: ground, b: disc, axis: z}
  - {type: revolute, name: axle, a: {body: ground, at: [1, 0, 0]}, b: drum, axis: z}
"""
CIRCLE = """
  - {type: sensor, name: s1, of: s2.value}
  - {type: sensor, name: s2, of: s1.value}
"""
UNKNOWN = """
  - {type: sensor, name: s3, of: pin.angel}
  - {type: sensor, name: s4, of: disc.tpi.position_x}
  - {type: sensor, name: s5, of: s4.value}
"""
TOLD = {"sensor 's1'", "sensor 's3'", "sensor 's4'"}


def wrong(text):
    with pytest.raises(ModelError) as caught:
        read_text(text, "yaml", "m.yaml")
    return [problem.where for problem in caught.value.problems]


@pytest.mark.parametrize(
    ("other", "where"),
    [
        ("", ()),
        ("  - {type: friction, name: f, joint: pni, prestress: 0.3}", ("friction 'f'",)),
        ("  - {type: friction, name: f, joint: pni, coefficient: -0.3}", ("friction 'f'", "friction 'f'")),
        ("  - {type: gear, name: g, input: pin, output: axle, ratio: 0}", ("transmission 'g'",)),
        ("  - {type: spherical, name: b, a: drum.nowhere, b: disc}", ("joint 'b'",)),
        ("  - {type: bushing, name: b, a: ground, b: disc, stiffness: [1, 2, 3]}", ("bushing 'b'",)),
    ],
)
def test_all_at_once(other, where):
    assert sorted(wrong(SOUND + CIRCLE + UNKNOWN + other)) == sorted([*TOLD, *where])


@pytest.mark.parametrize(
    "reader",
    [
        "{type: sensor, name: s, of: f.force}",
        "{type: sensor, name: s, of: f.anything}",
        "{type: sensor, name: s, of: energy.total}",
        "{type: sensor, name: s, of: pin.angle}",
    ],
)
def test_what_reads_something_with_mistakes_is_not_blamed(reader):
    for mistake in ("joint: pni, prestress: 0.3", "joint: pin, prestress: 0.3, nonsense: 5"):
        text = f"{SOUND}\n  - {{type: friction, name: f, {mistake}}}\n  - {reader}\n"
        assert wrong(text) == ["friction 'f'"]
