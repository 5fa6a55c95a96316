"""Orders of elimination by where nodes are: whole, and as good as those of the graph on blocks."""

import numpy as np
import pytest
from scipy import sparse

import flexor as fx
from flexor.mesh.generate import bar
from flexor.reduce import from_mesh, fronts
from flexor.reduce.dissection import dissection
from flexor.reduce.factor import factorise
from flexor.reduce.front_tree import front_tree
from flexor.reduce.fronts import Fronts


def box(*sides):
    """Graph of a grid in which nodes meet that differ by one at most in each direction, and where its nodes are."""
    line = [sparse.diags([np.ones(s - 1), np.ones(s), np.ones(s - 1)], [-1, 0, 1]) for s in sides]
    graph = sparse.kron(sparse.kron(line[0], line[1]), line[2]).tocsr()
    return graph, np.stack(np.meshgrid(*map(np.arange, sides), indexing="ij"), -1).reshape(-1, 3).astype(float)


def work(graph, order):
    return front_tree(graph, order, np.arange(len(order))).work


@pytest.mark.parametrize("sides", [(1, 1, 1), (2, 1, 1), (40, 1, 1), (9, 11, 1), (12, 8, 7)])
def test_every_node_is_eliminated_once(sides):
    graph, points = box(*sides)
    assert sorted(dissection(graph, points)) == list(range(len(points)))


def test_a_chain_is_cut_in_its_middle():
    graph, points = box(63, 1, 1)
    order = dissection(graph, points)
    assert order[62] == 31
    assert (order[30], order[61]) == (15, 47)  # the last of each half


def test_a_block_is_cut_across_its_length_last():
    graph, points = box(21, 7, 7)
    last = points[dissection(graph, points)[-49:]]
    assert set(last[:, 0]) == {10.0}


def test_nodes_on_one_place_end_in_one_part():
    graph, points = box(5, 5, 5)
    assert sorted(dissection(graph, np.zeros_like(points))) == list(range(125))


def test_planes_are_planes_whatever_rounding_makes_of_them():
    graph, points = box(13, 9, 8)
    noise = 1e-9 * np.random.default_rng(0).standard_normal(points.shape)
    np.testing.assert_array_equal(dissection(graph, points), dissection(graph, points + noise))


def test_a_block_fills_less_than_in_the_order_of_its_numbers_or_at_random():
    graph, points = box(14, 10, 10)
    by_number, at_random = np.arange(1400), np.random.default_rng(0).permutation(1400)
    placed, numbered, random = (work(graph, order) for order in (dissection(graph, points), by_number, at_random))
    assert placed < 0.8 * numbered
    assert placed < 0.2 * random


def body(turn):
    mesh = bar(1.0, 0.4, 0.4, (14, 8, 8), material=fx.Steel())
    p = from_mesh(mesh, {"a": fx.plane(at=(0, 0, 0), normal="x"), "b": fx.plane(at=(1, 0, 0), normal="x")})
    free = p.held.free
    return p.K[free][:, free], p.moved[free], (p.nodes @ turn.T)[p.moved[free]]


@pytest.mark.parametrize("much", [0.0, 1e99])
def test_the_order_changes_nothing_but_the_order(much, monkeypatch):
    monkeypatch.setattr(fronts, "MUCH", much)
    turn = np.linalg.qr(np.random.default_rng(2).standard_normal((3, 3)))[0]
    A, nodes, points = body(turn)
    x = np.random.default_rng(3).standard_normal((A.shape[0], 3))
    factors = factorise(A, library="Fronts", nodes=nodes, points=points)
    assert np.abs(factors.solve(A @ x) - x).max() < 1e-6


def test_the_graph_is_asked_where_a_shape_is_cut_badly(monkeypatch):
    pytest.importorskip("pypardiso")
    A, nodes, points = body(np.eye(3))
    A, nodes = sparse.csc_matrix(A), np.unique(nodes, return_inverse=True)[1]
    random = np.random.default_rng(0).standard_normal((nodes.max() + 1, 3))[nodes]
    placed, scattered = Fronts(A, True, nodes, points).tree.work, Fronts(A, True, nodes, random).tree.work
    monkeypatch.setattr(fronts, "MUCH", 1e99)
    assert Fronts(A, True, nodes, random).tree.work > 2 * scattered
    assert placed < 1.05 * scattered


def test_a_body_is_reduced_by_fronts_where_nothing_else_orders(monkeypatch):
    monkeypatch.setattr(fronts, "installed", lambda: False)
    monkeypatch.setattr(fronts, "MUCH", 0.0)
    A, nodes, points = body(np.eye(3))
    assert factorise(A, nodes=nodes, points=points).library == "Fronts"
