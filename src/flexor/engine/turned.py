"""A matrix of an earlier step in axes that have turned with the nodes since.

The matrix of a body that turns as a whole by Q is Q A Qᵀ: its stiffness and inertia turn with it, and a matrix that is not made anew
misses just that. Hence the right-hand side of each node is turned back to the axes that the node had when the matrix was made, and the
solution forwards:

    δ = Q A⁻¹ Qᵀ (−r),   Q = R R_Aᵀ of each node

What is fixed in space (a spring to the ground) is misrepresented by that. So the matrices tell themselves: each serves either way, and the
next one in the way in which the last ones lasted longer; the other way is tried again now and then. The solution is the same: only corrections are found so, from residuals that are exact.

Nodes of bodies that deform are turned, beams and superelements; those of rigid bodies alone are not. Multipliers have no axes of their own, and rows of locked degrees of freedom stand in global ones: where there are multipliers nothing is turned,
nor are nodes of which some are locked.
"""

from __future__ import annotations

from flexor.law.tuples import mat, mmt, mv, store, store_mat, vec

LONG = 1e18
"""Steps that a matrix is thought to last before any has told."""


def keep_axes(T):
    """A matrix has been made: remember the axes, and choose in which way it serves."""
    run = T.run
    if run.n_turning == 0:
        return
    if run.served > 0:
        if run.turned:
            run.life_turned, run.life_fixed = _mean(run.life_turned, run.served), _hoped(run.life_fixed)
        else:
            run.life_turned, run.life_fixed = _hoped(run.life_turned), _mean(run.life_fixed, run.served)
        run.served = 0
    run.turned = 1 if run.life_turned >= run.life_fixed else 0
    nodes, R, R_matrix = T.turning, T.R, T.R_matrix
    for i in range(run.n_turning):
        store_mat(R_matrix, 9 * nodes[i], mat(R, 9 * nodes[i]))


def _mean(life, served):
    """Steps that a matrix lasts, after one that has served so many: the last ones count most."""
    return served if life >= LONG else 0.5 * (life + served)


def _hoped(life):
    """Steps that one might last in the way that is not in use: the more the longer it was not tried."""
    return 1.03 * life + 0.1


def turn_back(T, u):
    """Forces of nodes to the axes of the matrix: u ← Qᵀ u"""
    _turn(T, u, T.R, T.R_matrix)


def turn_forwards(T, u):
    """Motions of nodes from the axes of the matrix: u ← Q u"""
    _turn(T, u, T.R_matrix, T.R)


def _turn(T, u, R_from, R_to):
    """From axes of the nodes to others."""
    nodes, node_eq = T.turning, T.node_eq
    for i in range(T.run.n_turning):
        node = nodes[i]
        eq = node_eq[node]
        Q = mmt(mat(R_to, 9 * node), mat(R_from, 9 * node))
        store(u, eq, mv(Q, vec(u, eq)))
        store(u, eq + 3, mv(Q, vec(u, eq + 3)))
