"""Stress of beams in scenes, against closed forms; what has none says so."""

import numpy as np
import pytest

import flexor as fx
from flexor.recover.beam_stress import moduli_of, stress_of_sections
from flexor.spatial import quaternion_to_matrix
from flexor.viewer.of_model import scene_of_model
from flexor.viewer.show import scene_of
from tests.viewer.browser import page_of, until
from tests.viewer.conftest import body_of, row_of

LENGTH, WIDTH, HEIGHT, PULL, PUSH = 1.0, 0.02, 0.04, 3000.0, 40.0


def cantilever(section: object = None) -> fx.Model:
    """Pulled along x and pushed along z at its end; y of the section is along −y of the body for up = z."""
    profile = {"section": section} if section else {"section": fx.Rectangle(WIDTH, HEIGHT), "material": fx.Steel()}
    beam = fx.Beam("arm", [(0, 0, 0), (LENGTH, 0, 0)], **profile, divisions=5)
    return fx.Model(
        "cantilever",
        [
            beam,
            fx.Fixed("wall", fx.ground, beam["start"]),
            fx.PointForce("pull", on=beam["end"], direction="x", force=PULL),
            fx.PointForce("push", on=beam["end"], direction="z", force=PUSH),
        ],
        gravity=(0, 0, 0),
    )


def corner_stress(scene, row: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """(stations, corners) places (…, 3) in the body's axes and stress as the page computes them."""
    beam, values = body_of(scene, "arm")["beam"], row_of(scene, row)
    outlines = np.array(beam["outlines"])
    parts = values[beam["stress"] : beam["stress"] + 3 * beam["stations"]].reshape(-1, 1, 3)
    sigma = parts[..., 0] + outlines[..., 0] * parts[..., 1] + outlines[..., 1] * parts[..., 2]
    return outlines, sigma


def test_a_cantilever_has_the_stress_of_beam_theory():
    """σ = N/A ± M h/2I with M = F (L − x); the pull straightens it by little."""
    scene = scene_of(cantilever().statics())
    _, sigma = corner_stress(scene)
    x = np.linspace(0, LENGTH, 6)
    # under a pull N the moment of a bent cantilever is F sinh(k (L − x))/(k cosh k L), k² = N/EI
    k = np.sqrt(PULL / (210e9 * WIDTH * HEIGHT**3 / 12))
    moment = PUSH * np.sinh(k * (LENGTH - x)) / (k * np.cosh(k * LENGTH))
    bending = moment * (HEIGHT / 2) / (WIDTH * HEIGHT**3 / 12)
    assert sigma.max(axis=1) == pytest.approx(PULL / (WIDTH * HEIGHT) + bending, rel=2e-3)
    assert sigma.min(axis=1) == pytest.approx(PULL / (WIDTH * HEIGHT) - bending, rel=2e-3)


def test_the_pulled_side_is_the_one_that_is_stretched():
    """Pushed up, it is stretched below: z of the corners in space is compared."""
    scene = scene_of(cantilever().statics())
    beam = body_of(scene, "arm")["beam"]
    outlines, sigma = corner_stress(scene)
    rest = np.array(beam["rest"])
    axes = quaternion_to_matrix(rest[0, 3:])
    heights = (np.pad(outlines[0], ((0, 0), (1, 0))) @ axes.T)[:, 2]
    assert np.all(sigma[0][heights < 0] > sigma[0][heights > 0].max())


def test_rows_hold_what_section_forces_give(mast):
    beam = mast.model["mast"]
    found = stress_of_sections(beam, mast.section_forces("mast"), moduli_of(beam))
    scene = scene_of(mast)
    header = body_of(scene, "mast")["beam"]
    for row in (0, 20, 50):
        values = row_of(scene, row)[header["stress"] :][: 3 * header["stations"]].reshape(-1, 3)
        assert values[0] == pytest.approx(found[row, 0, 0], rel=1e-5, abs=1e-3)
        assert values[2] == pytest.approx((found[row, 1, 1] + found[row, 2, 0]) / 2, rel=1e-5, abs=1e-3)


def test_what_has_no_stress_says_why():
    stiff = fx.StiffnessSection((1e7, 1e6, 1e6, 1e3, 2e3, 2e3), mass=1)
    for scene, why in (
        (scene_of(cantilever(stiff).statics()), "told by a stiffness"),
        (scene_of_model(cantilever()), "without a run or an equilibrium"),
        (scene_of(cantilever().dynamics(until=1e-4, step=1e-5, record=["pull"], show=False)), "not recorded"),
    ):
        beam = body_of(scene, "arm")["beam"]
        assert beam["stress"] == -1
        assert why in beam["note"]


def test_the_page_colours_beams_and_shows_them_undeformed(chromium):
    rest = cantilever().statics()
    _, sigma = corner_stress(scene_of(rest))
    with page_of(chromium, rest) as page:
        page.locator("select[name=field]").select_option("stress")
        until(page, "window.flexor.view.legend.content !== null")
        page.evaluate("window.flexor.view.settled()")
        shown = "Array.from(window.flexor.view.picture.bodies[1].beam.values)"
        assert np.reshape(page.evaluate(shown), sigma.shape) == pytest.approx(np.abs(sigma), rel=1e-4)
        legend = page.evaluate("window.flexor.view.legend.content")
        assert (legend["unit"], legend["high"]) == ("Pa", pytest.approx(np.abs(sigma).max(), rel=1e-4))
        assert "without the shear" in legend["note"]
        page.evaluate("window.flexor.app.settings.set({component: 'signed_max'})")
        until(page, "window.flexor.view.legend.content.low < 0")
        assert page.evaluate("window.flexor.view.legend.content.low") == pytest.approx(sigma.min(), rel=1e-4)
        page.evaluate("window.flexor.app.settings.set({field: 'deformation', component: 'z'})")
        until(page, "window.flexor.view.legend.content.unit === 'm'")
        tip = rest["arm.end.position"][2]
        page.evaluate("window.flexor.view.settled()")
        assert page.evaluate("window.flexor.view.legend.content.high") == pytest.approx(tip, rel=1e-4)
        page.evaluate("window.flexor.app.settings.set({field: '', shadow: true, deformation: 100})")
        page.evaluate("window.flexor.view.settled()")
        still = "window.flexor.view.picture.bodies[1].beam.shadow.geometry.attributes.position.array"
        heights = np.reshape(page.evaluate(f"Array.from({still})"), (-1, 3))[:, 2]
        assert np.abs(heights).max() == pytest.approx(HEIGHT / 2, rel=1e-6)
        assert page.evaluate("window.flexor.view.picture.bodies[1].beam.shadow.visible") is True
