"""Recorded rollouts of models that reason over a map, walked again on the real graphs."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

from hash_rule import key_of, made_input
from vlnscope.agents.learned.inputs import NOTHING, VisualInput
from vlnscope.agents.learned.tensors import GraphInputs
from vlnscope.worlds.graph.views import view_index
from vlnscope.worlds.matterport.connectivity import read_connectivity

NEAR_TIE = 1e-4


class Moment(NamedTuple):
    """One step of a batch: which rows are under way, what the model says and remembers, what was recorded."""

    number: int
    rows: list[int]
    said: Any
    logits: Tensor
    state: Any
    recorded: dict[str, Any]


@dataclass
class Worlds:
    """The real graphs of some scans, seen through made-up features."""

    folder: Path
    width: int
    scans: list[str]
    names: list[str] = field(init=False)
    inputs: GraphInputs = field(init=False)

    def __post_init__(self) -> None:
        graphs = [read_connectivity(self.folder / f"{scan}_connectivity.json").graph for scan in self.scans]
        self.names = [name for graph in graphs for name in graph.nodes]
        images = torch.stack([made_input((36, self.width), key_of(name)) for name in self.names])
        positions = torch.from_numpy(np.concatenate([graph.positions for graph in graphs]))
        self.inputs = in_double(GraphInputs.of(graphs, images.double()), positions)
        self.numbers = {name: number for number, name in enumerate(self.names)}


def in_double(inputs: GraphInputs, positions: Tensor) -> GraphInputs:
    """Return the same with directions in double precision, as the oracles have them.

    MatterSim, and so the candidates here, computes in single precision; what is almost straight above or
    below then lies up to 7e-4 rad elsewhere.
    """
    east, north, up = (positions[inputs.nodes] - positions[:, None]).unbind(2)
    flat = torch.hypot(east, north)
    return replace(
        inputs,
        headings=torch.atan2(east, north),
        elevations=torch.atan2(up, flat),
        distances=torch.hypot(flat, up),
    )


class Walk:
    """Walks a recorded case with a model, batch and all, following what was recorded."""

    def __init__(self, model: Any, case: dict[str, Any], folder: Path, width: int) -> None:
        self.model, self.case = model, case
        self.worlds = Worlds(folder, width, sorted({item["scan"] for item in case["items"]}))
        numbers = self.worlds.numbers
        self.paths = [[[item["gt_path"][0]]] for item in case["items"]]
        self.own = [True] * len(self.paths)
        self.nodes = torch.tensor([numbers[item["gt_path"][0]] for item in case["items"]])
        self.look = torch.tensor([view_index(item["heading"]) for item in case["items"]])
        self.final: dict[int, Any] = {}

    def texts(self) -> tuple[Tensor, Tensor]:
        ids = [item["txt_ids"] for item in self.case["items"]]
        longest = max(map(len, ids))
        mask = torch.tensor([[place < len(each) for place in range(longest)] for each in ids])
        return torch.tensor([each + [0] * (longest - len(each)) for each in ids]), mask

    def visual(self) -> VisualInput:
        seen = self.worlds.inputs.at(self.nodes, self.look, torch.full_like(self.nodes, NOTHING))
        return replace(seen, images=seen.images.double())

    @torch.no_grad()
    def steps(self) -> Iterator[Moment]:
        """Yield each step; rows that stopped stay in the batch, and mean nothing after."""
        state = self.model.start(*self.texts())
        live = list(range(len(self.paths)))
        for number, recorded in enumerate(self.case["steps"]):
            visual = self.visual()
            said = self.model.considered(state, visual)[0]
            logits, state = self.model.step(state, visual)
            yield Moment(number, live, said, logits, state, recorded)
            live = [row for row in live if not self._moved(row, logits, state, number)]

    def _moved(self, row: int, logits: Tensor, state: Any, number: int) -> bool:
        """Move one row as it chooses, or as was recorded; return whether that is its end."""
        column = self.column(row, logits, state, number)
        stops = column == logits.shape[1] - 1
        columns = torch.full((len(logits),), column)
        names = self.worlds.names
        way = [names[place] for place in self.model.routes(state, columns)[row].tolist() if place != NOTHING]
        if way:
            self.paths[row].append(way)
        for name in way * (not stops):
            self._hop(row, name)
        if stops:
            places = self.model.places(state)[row].tolist()
            visited = state.plan.visited[row].tolist()
            chances = state.plan.stops[row].tolist()
            self.final[row] = {
                names[place]: chance
                for place, chance, old in zip(places, chances, visited, strict=True)
                if old
            }
        return bool(stops)

    def column(self, row: int, logits: Tensor, state: Any, number: int) -> int:
        places = [
            self.worlds.names[place] if place >= 0 else None
            for place in self.model.places(state)[row].tolist()
        ]
        stop = logits.shape[1] - 1
        if self.case["feedback"] == "teacher":
            path = self.case["items"][row]["gt_path"]
            return stop if number == len(path) - 1 else places.index(path[number + 1])
        if number + 1 == self.case["max_action_len"]:
            return stop
        best = logits[row].topk(min(2, logits.shape[1]))
        if len(best.values) < 2 or float(best.values[0] - best.values[1]) >= NEAR_TIE:
            return int(best.indices[0])
        later = self.case["steps"][number + 1 :]
        going = later and later[0]["obs"][row]["viewpoint"] != self.worlds.names[int(self.nodes[row])]
        return places.index(later[0]["obs"][row]["viewpoint"]) if going else stop

    def _hop(self, row: int, name: str) -> None:
        inputs, node = self.worlds.inputs, int(self.nodes[row])
        ways = [
            self.worlds.names[lead] if is_open else None
            for lead, is_open in zip(inputs.nodes[node].tolist(), inputs.open[node].tolist(), strict=True)
        ]
        self.look[row] = inputs.arrival[node, ways.index(name)]
        self.nodes[row] = self.worlds.numbers[name]


def in_official_order(moment: Moment, row: int) -> list[int]:
    """The nodes of a map as official code lists them: those visited, then the others, both as first seen."""
    plan = moment.state.plan
    old, there = plan.visited[row].tolist(), plan.there[row].tolist()
    nodes = range(len(there))
    return [n for n in nodes if old[n]] + [n for n in nodes if there[n] and not old[n]]


def numbers_of(row: list[Any]) -> Tensor:
    return torch.tensor(
        [-math.inf if value == "-inf" else float(value) for value in row], dtype=torch.float64
    )
