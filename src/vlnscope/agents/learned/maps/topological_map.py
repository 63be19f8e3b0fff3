"""Maps that grow as agents walk (Chen et al., CVPR 2022): nodes, distances between them, and what was seen.

A node is a viewpoint that an agent stood at, or saw as a candidate. Nodes keep the order in which they were
first seen. Positions are computed from candidates alone (heading, elevation, distance), from where the map
began. Ways lead through visited nodes only: whenever one is visited, all distances are relaxed over it
(Floyd's algorithm, one node at a time), so that an agent knows of no way that it has not seen. A map that is
kept along a tour may have parts that no known way joins: where an agent in one part sees a node of another,
that other part is moved to where it is seen.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import torch
from torch import Tensor
from torch.nn import functional

from vlnscope.agents.learned.inputs import NOTHING, VisualInput
from vlnscope.agents.learned.model import State

FAR = 30.0
"""Metres that count as 1 in position features."""
MANY = 10.0
"""Hops that count as 1 in position features."""
POSITION_SIZE = 7
"""Numbers per position feature."""


@dataclass(frozen=True)
class TopologicalMap(State):
    """Maps of a batch of B agents, with up to N nodes each.

    Where a row has fewer nodes, its last columns mean nothing.

    Attributes:
        places: (B, N) number of each node's viewpoint.
        there: (B, N) which nodes there are.
        positions: (B, N, 3) metres to the east, to the north and up.
        distances: (B, N, N) metres along the map; infinity where no way is known.
        before: (B, N, N) on the way from the first to the second node, the node before the second.
        hops: (B, N, N) edges of that way.
        tokens: (B, N, H) what a node looks like: the mean of its panorama where it was visited, else the mean
            of the candidate tokens of it.
        sights: (B, N) how many tokens that is the mean of.
        steps: (B, N) number of the step of the latest visit, the first being 1; 0 for nodes not visited.
        stops: (B, N) probability of stopping at the latest visit.
        here: (B) node that the agent stands at; `NOTHING` before the first.
        begin: (B) node that the episode began at; `NOTHING` before the first.
        time: (B) how many steps were made.
        asked: (B) how many decisions were asked for; fewer than steps where an agent was led.
    """

    places: Tensor
    there: Tensor
    positions: Tensor
    distances: Tensor
    before: Tensor
    hops: Tensor
    tokens: Tensor
    sights: Tensor
    steps: Tensor
    stops: Tensor
    here: Tensor
    begin: Tensor
    time: Tensor
    asked: Tensor

    @classmethod
    def empty(cls, rows: int, width: int, like: Tensor) -> TopologicalMap:
        """Return maps without nodes, for tokens of `width`, typed as `like`."""
        number = like.new_zeros(rows, 0, dtype=torch.long)
        square = like.new_zeros(rows, 0, 0)
        none = like.new_full((rows,), NOTHING, dtype=torch.long)
        return cls(
            places=number,
            there=number.bool(),
            positions=like.new_zeros(rows, 0, 3),
            distances=square,
            before=square.long(),
            hops=square.long(),
            tokens=like.new_zeros(rows, 0, width),
            sights=like.new_zeros(rows, 0),
            steps=number,
            stops=like.new_zeros(rows, 0),
            here=none,
            begin=none,
            time=torch.zeros_like(none),
            asked=torch.zeros_like(none),
        )

    @property
    def visited(self) -> Tensor:
        """(B, N): which nodes were visited in this episode."""
        return self.there & (self.steps > 0)

    @property
    def known(self) -> Tensor:
        """(B, N): to which nodes the agent knows a way from where it stands."""
        return self.there & self.of_here(self.distances).isfinite()

    def trimmed(self) -> TopologicalMap:
        """Return the same without columns that no row uses."""
        return self._sized(int(self.there.sum(1).max())) if self.there.numel() else self

    def fresh(self) -> TopologicalMap:
        """Return the map as the next episode of a tour begins with it: all known, nothing visited."""
        none = torch.full_like(self.here, NOTHING)
        return replace(
            self,
            tokens=self.tokens.detach(),
            steps=torch.zeros_like(self.steps),
            stops=torch.zeros_like(self.stops),
            begin=none,
            time=torch.zeros_like(self.time),
            asked=torch.zeros_like(self.asked),
        )

    def of_here(self, table: Tensor) -> Tensor:
        """(B, …): the rows of a table (B, N, …) that belong to where agents stand."""
        return table[torch.arange(len(table), device=table.device), self.here]

    def nodes_of(self, places: Tensor) -> Tensor:
        """(B, K): the nodes of viewpoints, by number; `NOTHING` for those that are not on the map."""
        same = (places[..., None] == self.places[:, None]) & self.there[:, None]
        if not same.shape[2]:
            return torch.full_like(places, NOTHING)
        best, node = same.byte().max(dim=2)
        return torch.where(best > 0, node, NOTHING)

    def arrived(self, visual: VisualInput) -> tuple[TopologicalMap, Tensor]:
        """Visit the place where agents stand, and note where they can go from there.

        Returns:
            The map, without new tokens (`described`), and (B, C) the nodes of the candidates, `NOTHING` for
            padding.
        """
        known = self.nodes_of(visual.here[:, None])
        base = self.positions.new_zeros(len(visual.here), 1, 3)
        if self.there.shape[1]:
            index = known.clamp(min=0)[..., None].expand(-1, -1, 3)
            base = torch.where(known[..., None] != NOTHING, self.positions.gather(1, index), base)
        offsets = torch.cat([torch.zeros_like(base), _offsets(visual)], dim=1)
        places = torch.cat([visual.here[:, None], visual.leads], dim=1)
        seen = torch.cat([visual.open.new_ones(len(places), 1), visual.open], dim=1)
        grown, nodes = self._with(places, seen, base + offsets)
        here, ways = nodes[:, 0], nodes[:, 1:]
        grown = grown._placed(here, ways, base + offsets[:, 1:])
        steps = grown.steps.scatter(1, here[:, None], grown.time[:, None] + 1)
        begin = torch.where(grown.begin == NOTHING, here, grown.begin)
        moved = replace(grown, here=here, begin=begin, steps=steps, time=grown.time + 1)
        return moved._joined(ways, visual.distances)._relaxed(), ways

    def described(self, panorama: Tensor, ways: Tensor, candidates: Tensor) -> TopologicalMap:
        """Note what was seen: the place where agents stand is replaced, what they see from there is averaged.

        Args:
            panorama: (B, H) the place as a token.
            ways: (B, C) as `arrived` returned them.
            candidates: (B, C, H) tokens of the candidates.
        """
        nodes = torch.arange(self.there.shape[1], device=ways.device)
        found = (ways[..., None] == nodes) & ~self.visited[:, None]
        shares = found.to(self.tokens.dtype)
        sights = self.sights + shares.sum(1)
        sums = self.tokens * self.sights[..., None] + shares.transpose(1, 2) @ candidates
        own = self.here[:, None] == nodes
        tokens = torch.where(own[..., None], panorama[:, None], sums / sights.clamp(min=1)[..., None])
        return replace(self, tokens=tokens, sights=torch.where(own, 1.0, sights))

    def with_stops(self, chance: Tensor) -> TopologicalMap:
        """Note (B) how probable stopping is where agents stand."""
        return replace(self, stops=self.stops.scatter(1, self.here[:, None], chance[:, None]))

    def best_stop(self) -> Tensor:
        """(B): the visited node where stopping was most probable; the first of several."""
        return self.stops.masked_fill(~(self.visited & self.known), -1.0).argmax(1)

    def routes(self, nodes: Tensor) -> Tensor:
        """(B, K): the viewpoints through which ways from here lead to (B) nodes, with these as the last.

        Shorter ways end with `NOTHING`; the way to where an agent stands is empty, and so is that to a node
        that it knows no way to.
        """
        rows = torch.arange(len(nodes), device=nodes.device)
        node, chain = torch.where(self.known[rows, nodes], nodes, self.here), []
        before = self.of_here(self.before)
        while bool((going := node != self.here).any()):
            chain.append(torch.where(going, self.places[rows, node], NOTHING))
            node = torch.where(going, before[rows, node], node)
        if not chain:
            return nodes.new_empty(len(nodes), 0)
        backward = torch.stack(chain, dim=1)
        size = (backward != NOTHING).sum(1, keepdim=True)
        order = size - 1 - torch.arange(backward.shape[1], device=nodes.device)
        return torch.where(order >= 0, backward.gather(1, order.clamp(min=0)), NOTHING)

    def next_hops(self) -> Tensor:
        """(B, N): the viewpoint that the way from here to each node leads to first.

        `NOTHING` for where an agent stands, and for nodes that it knows no way to.
        """
        before, here = self.of_here(self.before), self.here[:, None]
        node = torch.arange(before.shape[1], device=before.device).expand_as(before)
        far = self.known & (node != here)
        while bool((onward := far & (before.gather(1, node) != here)).any()):
            node = torch.where(onward, before.gather(1, node), node)
        return torch.where(far, self.places.gather(1, node), NOTHING)

    def positions_from_here(self, heading: Tensor, elevation: Tensor) -> Tensor:
        """(B, N, 7): where nodes lie, seen by agents that look at (B) a heading and an elevation.

        Sine and cosine of relative heading and elevation, metres in a straight line and along the map (in
        `FAR`), edges on the way (in `MANY`); zeros for nodes that are not `known`. The node of the agent
        itself is straight ahead of heading 0.
        """
        east, north, up = (self.positions - self.of_here(self.positions)[:, None]).unbind(2)
        flat = torch.hypot(east, north)
        turn = torch.atan2(east, north) - heading[:, None]
        tilt = torch.atan2(up, flat) - elevation[:, None]
        away = torch.hypot(flat, up) / FAR
        walk, hops = self.of_here(self.distances) / FAR, self.of_here(self.hops).to(away.dtype) / MANY
        whole = torch.stack([turn.sin(), turn.cos(), tilt.sin(), tilt.cos(), away, walk, hops], dim=2)
        return torch.where(self.known[..., None], whole, 0.0)

    def pair_distances(self) -> Tensor:
        """(B, N, N): metres along the map; 0 where no way is known, and for columns that mean nothing."""
        both = self.known[:, None] & self.known[:, :, None]
        return torch.where(both, self.distances, 0.0)

    def _with(self, places: Tensor, seen: Tensor, positions: Tensor) -> tuple[TopologicalMap, Tensor]:
        """Add viewpoints (B, K) that are not there yet; return (B, K) the nodes of those `seen`."""
        known = self.nodes_of(places)
        fresh = seen & (known == NOTHING)
        count = self.there.sum(1, keepdim=True)
        nodes = torch.where(fresh, count + fresh.long().cumsum(1) - 1, known.masked_fill(~seen, NOTHING))
        most = int((count + fresh.sum(1, keepdim=True)).max())
        whole = self._sized(max(most, self.there.shape[1]))
        rows, columns = fresh.nonzero(as_tuple=True)
        at = (rows, nodes[rows, columns])
        there = whole.there.index_put(at, seen[rows, columns])
        apart = (whole.there != there)[:, None] | (whole.there != there)[:, :, None]
        same = torch.eye(there.shape[1], dtype=torch.bool, device=there.device)
        distances = whole.distances.masked_fill(apart, torch.inf).masked_fill(same, 0.0)
        return replace(
            whole,
            there=there,
            places=whole.places.index_put(at, places[rows, columns]),
            positions=whole.positions.index_put(at, positions[rows, columns]),
            distances=distances,
        ), nodes

    def _placed(self, here: Tensor, ways: Tensor, seen: Tensor) -> TopologicalMap:
        """Move parts of the map that no known way led to from (B) here to where (B, C, 3) they are `seen`.

        Of several nodes (B, C) of a part, the first decides.
        """
        if not ways.shape[1]:
            return self
        rows = torch.arange(len(here), device=here.device)
        index = ways.clamp(min=0)
        apart = (ways != NOTHING) & self.distances[rows, here].gather(1, index).isinf()
        parts = self.distances[rows[:, None], index].isfinite() & apart[..., None]
        shifts = seen - self.positions[rows[:, None], index]
        first = parts.byte().argmax(1)[..., None].expand(-1, -1, 3)
        moved = self.positions + shifts.gather(1, first)
        return replace(self, positions=torch.where(parts.any(1)[..., None], moved, self.positions))

    def _joined(self, ways: Tensor, lengths: Tensor) -> TopologicalMap:
        """Add edges from here to nodes (B, C), where they are shorter than the ways known."""
        rows, columns = (ways != NOTHING).nonzero(as_tuple=True)
        ends, starts, length = ways[rows, columns], self.here[rows], lengths[rows, columns]
        shorter = length < self.distances[rows, starts, ends]
        rows, ends, starts, length = (part[shorter] for part in (rows, ends, starts, length))
        there, back = (rows, starts, ends), (rows, ends, starts)
        one = torch.ones_like(ends)
        return replace(
            self,
            distances=self.distances.index_put(there, length).index_put(back, length),
            before=self.before.index_put(there, starts).index_put(back, ends),
            hops=self.hops.index_put(there, one).index_put(back, one),
        )

    def _relaxed(self) -> TopologicalMap:
        """Let ways lead through where agents stand."""
        away, count, last = (self.of_here(table) for table in (self.distances, self.hops, self.before))
        through = away[:, :, None] + away[:, None]
        shorter = through < self.distances
        return replace(
            self,
            distances=torch.where(shorter, through, self.distances),
            hops=torch.where(shorter, count[:, :, None] + count[:, None], self.hops),
            before=torch.where(shorter, last[:, None], self.before),
        )

    def _sized(self, size: int) -> TopologicalMap:
        """Return the same with `size` columns."""
        more = size - self.there.shape[1]
        if not more:
            return self
        pads = {"places": 1, "there": 1, "sights": 1, "steps": 1, "stops": 1, "positions": 2, "tokens": 2}
        columns = {name: functional.pad(getattr(self, name), _pad(rank, more)) for name, rank in pads.items()}
        squares = {
            name: functional.pad(getattr(self, name), (0, more, 0, more))
            for name in ("distances", "before", "hops")
        }
        return replace(self, **columns, **squares)


def _pad(rank: int, more: int) -> tuple[int, ...]:
    """Return how to pad the second dimension of a tensor that has so many beyond the first."""
    return (0, more) if rank == 1 else (0, 0, 0, more)


def _offsets(visual: VisualInput) -> Tensor:
    """(B, C, 3): where candidates lie, seen from where agents stand."""
    flat = visual.distances * visual.elevations.cos()
    east, north = flat * visual.headings.sin(), flat * visual.headings.cos()
    return torch.stack([east, north, visual.distances * visual.elevations.sin()], dim=2)
