"""Approximate minimum degree on the quotient graph, as a kernel.

A block that is eliminated becomes an *element*: a list of the blocks that it has joined, its clique. Of each block that is left
we keep the elements and the blocks that it touches, blocks of common elements not among the latter; these lists never grow, so that
each stays where it was. Blocks with the same neighbours go on as one. The degree of a block is the weight of its
elements and neighbours, weights that two elements share being counted twice.

Amestoy, Davis, Duff: An approximate minimum degree ordering algorithm, SIAM J. Matrix Anal. Appl. 17
(1996) 886-905.
"""

from __future__ import annotations

from flexor.law.record import Record, integers_at, kernel_at


class Quotient(Record):
    """The graph, what waits for what, and the order that is found."""

    order_blocks = kernel_at("finds the order")
    count = integers_at("number of blocks")
    tie = integers_at("1 if of blocks of equal degree that came together the last is first, −1 if the first")
    starts = integers_at("where the list of each block begins")
    near = integers_at("lists: elements, then blocks that each block touches")
    weight = integers_at("rows of each block and of those that go with it; 0 of what goes with another")
    cliques = integers_at("lists of elements, one behind the other")
    missing = integers_at("how many each block still waits for")
    waiting_from = integers_at("where the list of those begins that wait for a block")
    waiting = integers_at("the lists")
    enough = integers_at("1 where this one alone is enough")
    n_elements = integers_at("elements in the list of a block")
    n_near = integers_at("blocks in it")
    at = integers_at("where the clique of an element begins")
    length = integers_at("of a clique; 0 if it is gone")
    degree = integers_at("of each block")
    turn = integers_at("falls: among equal degrees, last come, first served")
    order = integers_at("the order")
    heap = integers_at("blocks that may be next, those of lower degree above")
    place = integers_at("of each block in it, from 1; 0 if it is not there")
    next_member = integers_at("next of the blocks that go together, from 1")
    last_member = integers_at("last of them")
    joined = integers_at("last element that has joined a block, from 1")
    mark = integers_at("last block that was compared with another by this neighbour, from 1")
    outside = integers_at("weight of an element outside of the present one")
    seen = integers_at("element for which that is known, from 1")
    bucket = integers_at("last block with this sum of neighbours, from 1")
    next_alike = integers_at("block before it with this sum, from 1")


def order_blocks(Q: Quotient):
    """Kernel: the order of elimination; 1 if blocks wait for each other."""
    n, weight, degree, missing, place = Q.count[0], Q.weight, Q.degree, Q.missing, Q.place
    heap, turn, next_member, last_member, order = Q.heap, Q.turn, Q.next_member, Q.last_member, Q.order
    where, length, cliques = Q.at, Q.length, Q.cliques
    left = 0  # blocks in the heap
    for i in range(n):
        last_member[i], turn[i] = i, i
        Q.n_near[i] = Q.starts[i + 1] - Q.starts[i]
        d = 0
        for q in range(Q.starts[i], Q.starts[i + 1]):
            d += weight[Q.near[q]]
        degree[i] = d
        if missing[i] == 0:
            left = put_in(heap, place, degree, turn, left, i)
    now, done, end = -n, 0, 0
    while done < n:
        if left == 0:
            return 1
        k = heap[0]
        left = take_out(heap, place, degree, turn, left, k)
        degree[k] = -1
        first, i = done, k
        while i >= 0:
            order[done] = i
            done += 1
            i = next_member[i] - 1
        if end + n > Q.starts[n] + n:
            end = moved_together(order, where, length, cliques, first)
        size = join(Q, k, end)
        total = 0
        for q in range(end, end + size):
            total += weight[cliques[q]]
        for q in range(end, end + size):
            tidy(Q, k, cliques[q])
        for q in range(end, end + size):
            left = unite(Q, cliques[q], n, left)
        for q in range(end, end + size):
            Q.bucket[key_of(Q, cliques[q], n)] = 0
        kept = end
        now -= n
        for q in range(end, end + size):
            i = cliques[q]
            if weight[i] > 0:
                cliques[kept] = i
                kept += 1
                degree[i] = total - weight[i] + add_element(Q, k, i)
                if missing[i] == 0:
                    left = put_again(heap, place, degree, turn, left, i, now - Q.tie[0] * i)
        where[k], length[k] = end, kept - end
        end = kept
        for q in range(first, done):
            b = order[q]
            for w in range(Q.waiting_from[b], Q.waiting_from[b + 1]):
                m = Q.waiting[w]
                if missing[m] > 0:
                    missing[m] = 0 if Q.enough[w] else missing[m] - 1
                    if missing[m] == 0:
                        now -= n
                        left = put_again(heap, place, degree, turn, left, m, now)
    return 0


def join(Q, k, end):
    """List the blocks that element k joins, from `end` on; the elements of k are gone. How many they are."""
    cliques, joined, weight, near, at = Q.cliques, Q.joined, Q.weight, Q.near, Q.starts[k]
    joined[k] = k + 1
    size = 0
    for q in range(at + Q.n_elements[k], at + Q.n_elements[k] + Q.n_near[k]):
        i = near[q]
        if weight[i] > 0 and joined[i] != k + 1:
            joined[i] = k + 1
            cliques[end + size] = i
            size += 1
    for q in range(at, at + Q.n_elements[k]):
        e = near[q]
        for c in range(Q.at[e], Q.at[e] + Q.length[e]):
            i = cliques[c]
            if weight[i] > 0 and joined[i] != k + 1:
                joined[i] = k + 1
                cliques[end + size] = i
                size += 1
        Q.length[e] = 0
    return size


def tidy(Q, k, i):
    """Take what element k covers out of the list of block i, and the weight of i out of what its elements have outside of k."""
    near, weight, at = Q.near, Q.weight, Q.starts[i]
    kept = at
    for q in range(at, at + Q.n_elements[i]):
        e = near[q]
        if Q.length[e] > 0:
            near[kept] = e
            kept += 1
            if Q.seen[e] != k + 1:
                Q.seen[e] = k + 1
                total = 0
                for c in range(Q.at[e], Q.at[e] + Q.length[e]):
                    total += weight[Q.cliques[c]]
                Q.outside[e] = total
            Q.outside[e] -= weight[i]
    elements = kept - at
    for q in range(at + Q.n_elements[i], at + Q.n_elements[i] + Q.n_near[i]):
        j = near[q]
        if weight[j] > 0 and Q.joined[j] != k + 1:
            near[kept] = j
            kept += 1
    Q.n_elements[i], Q.n_near[i] = elements, kept - at - elements


def unite(Q, i, n, left):
    """Drop the elements of block i that lie in the present one, and let i go with a block that has the same neighbours."""
    near, at = Q.near, Q.starts[i]
    kept = at
    for q in range(at, at + Q.n_elements[i] + Q.n_near[i]):
        e = near[q]
        if q >= at + Q.n_elements[i] or Q.outside[e] > 0:
            near[kept] = e
            kept += 1
        else:
            Q.length[e] = 0
    Q.n_elements[i] = kept - at - Q.n_near[i]
    if Q.missing[i] > 0:
        return left
    key = key_of(Q, i, n)
    for q in range(at, kept):
        Q.mark[near[q]] = i + 1
    twin = Q.bucket[key] - 1
    while twin >= 0:
        if same_list(Q, i, twin):
            Q.next_member[Q.last_member[twin]] = i + 1
            Q.last_member[twin] = Q.last_member[i]
            Q.weight[twin] += Q.weight[i]
            Q.weight[i], Q.degree[i] = 0, -1
            if Q.place[i] > 0:
                left = take_out(Q.heap, Q.place, Q.degree, Q.turn, left, i)
            return left
        twin = Q.next_alike[twin] - 1
    Q.next_alike[i] = Q.bucket[key]
    Q.bucket[key] = i + 1
    return left


def key_of(Q, i, n):
    """A number that blocks with the same list have in common."""
    total = 0
    for q in range(Q.starts[i], Q.starts[i] + Q.n_elements[i] + Q.n_near[i]):
        total += Q.near[q]
    return total % n


def same_list(Q, i, twin):
    """Whether a block has the neighbours of block i, which are marked."""
    if Q.n_elements[i] != Q.n_elements[twin] or Q.n_near[i] != Q.n_near[twin]:
        return False
    for q in range(Q.starts[twin], Q.starts[twin] + Q.n_elements[twin] + Q.n_near[twin]):
        if Q.mark[Q.near[q]] != i + 1:
            return False
    return True


def add_element(Q, k, i):
    """Put element k into the list of block i; weight of all in the list beside it."""
    near, at, elements, blocks = Q.near, Q.starts[i], Q.n_elements[i], Q.n_near[i]
    total = 0
    for q in range(at, at + elements):
        total += Q.outside[near[q]]
    for q in range(at + elements, at + elements + blocks):
        total += Q.weight[near[q]]
    near[at + elements + blocks] = near[at + elements]
    near[at + elements] = k
    Q.n_elements[i] = elements + 1
    return total


def moved_together(order, where, length, cliques, done):
    """Move the cliques that are left to the front; where they end. They stand in the order of elimination."""
    end = 0
    for q in range(done):
        e = order[q]
        for c in range(where[e], where[e] + length[e]):
            cliques[end + c - where[e]] = cliques[c]
        if length[e] > 0:
            where[e] = end
            end += length[e]
    return end


def put_in(heap, place, degree, turn, left, i):
    """Put block i into the heap of `left` blocks; how many they are then."""
    heap[left] = i
    place[i] = left + 1
    rise(heap, place, degree, turn, left)
    return left + 1


def put_again(heap, place, degree, turn, left, i, now):
    """The same of a block that may be in it already, with another degree and turn."""
    turn[i] = now
    if place[i] == 0:
        return put_in(heap, place, degree, turn, left, i)
    rise(heap, place, degree, turn, sink(heap, place, degree, turn, left, place[i] - 1))
    return left


def take_out(heap, place, degree, turn, left, i):
    """Take block i out of it."""
    q, last = place[i] - 1, heap[left - 1]
    place[i] = 0
    if last != i:
        heap[q] = last
        place[last] = q + 1
        rise(heap, place, degree, turn, sink(heap, place, degree, turn, left - 1, q))
    return left - 1


def comes_before(degree, turn, i, j):
    """Whether block i is to be eliminated before block j."""
    if degree[i] != degree[j]:
        return degree[i] < degree[j]
    return turn[i] < turn[j]


def rise(heap, place, degree, turn, q):
    """Let a block of the heap rise to where it belongs."""
    i = heap[q]
    while q > 0 and comes_before(degree, turn, i, heap[(q - 1) // 2]):
        above = heap[(q - 1) // 2]
        heap[q] = above
        place[above] = q + 1
        q = (q - 1) // 2
    heap[q] = i
    place[i] = q + 1


def sink(heap, place, degree, turn, left, q):
    """Let a block of the heap of `left` blocks sink to where it belongs; which place that is."""
    i = heap[q]
    while 2 * q + 1 < left:
        below = 2 * q + 1
        if below + 1 < left and comes_before(degree, turn, heap[below + 1], heap[below]):
            below += 1
        if comes_before(degree, turn, i, heap[below]):
            break
        heap[q] = heap[below]
        place[heap[below]] = q + 1
        q = below
    heap[q] = i
    place[i] = q + 1
    return q
