"""Agents of continuous environments, small as the oracles of IVLN-CE have them or tiny, and what they see."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch import Tensor

from hash_rule import fill, residue_input
from vlnscope.agents.learned.cma import Cma, MapCma, PoolCma, PoolEndCma, Seq2SeqCe, TourCma
from vlnscope.agents.learned.cma.batches import WalkedEpisode
from vlnscope.agents.learned.cma.policy import ContinuousPolicy, PolicyOutput
from vlnscope.agents.learned.cma.sights import Sights
from vlnscope.agents.learned.cma.steps import Steps

LATENT: dict[str, type[Cma]] = {
    "cma": Cma, "tour_cma": TourCma, "pool_cma": PoolCma, "pool_end_cma": PoolEndCma,
}  # fmt: skip
ALL: dict[str, type[ContinuousPolicy]] = {**LATENT, "map_cma": MapCma, "seq2seq_ce": Seq2SeqCe}
RULES = {"A": "sin", "B": "residues"}
OFFICIAL = {
    "normalise_rgb": False, "encoders_drift": True, "resets_when_led": True, "padding_runs_on": True,
    "scrambled_cells": True, "state_spans_tour": True,
}  # fmt: skip
TINY: dict[str, Any] = {
    "vocabulary": 12, "max_tokens": 9, "word_size": 6, "word_hidden": 4, "hidden": 8, "rgb_channels": 5,
    "rgb_layers": 0, "rgb_out": 7, "depth_layers": 0, "depth_channels": 3, "depth_out": 6, "action_size": 4,
}  # fmt: skip


def official(kind: type[ContinuousPolicy], sizes: Mapping[str, Any], rule: str) -> Any:
    """An agent of the sizes of an oracle, which is shown features, with the weights of a rule."""
    config: dict[str, Any] = {
        "vocabulary": sizes["vocab"], "word_size": sizes["emb"], "word_hidden": sizes["ih"],
        "hidden": sizes["hidden"], "rgb_out": sizes["rgb"], "depth_out": sizes["depth"],
        "rgb_layers": 0, "depth_layers": 0, "rgb_channels": sizes.get("rgb_feature_channels", 2048),
    }  # fmt: skip
    if "depth_feature_shape" in sizes:
        config |= {"depth_channels": sizes["depth_feature_shape"][0]}
    if "map_channels" in sizes:
        config |= {"map_channels": sizes["map_channels"], "map_out": sizes["map_output_size"]}
    policy: Any = kind(kind.Config(**config, **OFFICIAL))
    fill(policy, rule=RULES[rule])
    with torch.no_grad():
        policy.net.instruction_encoder.embedding_layer.weight[0] = 0
    return policy


def tiny_policy(name: str, **changes: Any) -> Any:
    """A tiny agent in double precision, lively enough for what it sees to show."""
    more: dict[str, Any] = {"cell_size": 5} if name != "seq2seq_ce" else {}
    if name == "map_cma":
        more |= {"map_channels": 2, "map_out": 5, "classes": 4}
    kind = ALL[name]
    torch.manual_seed(3)
    policy: Any = kind(kind.Config(**{**TINY, **more, **changes}))
    with torch.no_grad():
        for key, weight in policy.named_parameters():
            weight += 0.4 * torch.randn(weight.shape)
            if key.endswith("embedding_layer.weight"):
                weight[0] = 0
    return policy.double().eval()


def tiny_sights(name: str, seed: int, *leading: int) -> Sights:
    """What a tiny agent sees."""
    cells = 1 if name == "seq2seq_ce" else 4
    chance = torch.Generator().manual_seed(seed)

    def random(*shape: int) -> Tensor:
        return torch.rand(*leading, *shape, generator=chance, dtype=torch.float64)

    depth = random(TINY["depth_channels"], 4, 4)
    if name == "map_cma":
        kinds = torch.randint(0, 4, (*leading, 64, 64), generator=chance)
        return Sights(depth_features=depth, occupancy=(random(64, 64) < 0.3).double(), semantic=kinds)
    return Sights(rgb_features=random(TINY["rgb_channels"], cells, cells), depth_features=depth)


def walk(policy: Any, words: Tensor, steps: Steps, state: Tensor | None = None) -> list[PolicyOutput]:
    """Take steps one by one, reading each time what is followed; what is not there must not be asked."""
    state = policy.start(steps.previous.shape[1]) if state is None else state
    output: list[PolicyOutput] = []
    for number in range(len(steps.previous)):
        now = Steps.one(
            steps.sights.each(lambda tensor, at=number: tensor[at]),  # type: ignore[misc]
            steps.previous[number], steps.same_episode[number], steps.same_tour[number],
        )  # fmt: skip
        output.append(policy(policy.read(words[steps.text[number]]), now, state))
        state = output[-1].state
    return output


def formula_maps(seeds: Sequence[int]) -> dict[str, Tensor]:
    """Maps as the oracles of MAP-CMA make them."""
    row, column = torch.arange(64)[:, None], torch.arange(64)[None]
    occupancy, semantic = [], []
    for seed in seeds:
        x = (3 * row * row + 7 * column * column + 5 * row * column + 31 * seed) % 101
        occupancy.append((x < 40).float())
        semantic.append(torch.where(x < 25, (row // 5 + column // 7 + seed) % 13, 0))
    return {"occupancy": torch.stack(occupancy), "semantic": torch.stack(semantic)}


def formula_episode(
    sizes: Mapping[str, Any], length: int, seed: int, begins_tour: bool = True
) -> WalkedEpisode:
    """An episode as the oracles of training make it."""
    first = [(3 * seed + i * i) % 3 + 1 for i in range(length - 1)] + [0]
    repeats = [(i + seed) % 3 == 0 and 0 < i < length - 1 for i in range(length)]
    actions = [first[i - 1] if again else first[i] for i, again in enumerate(repeats)]
    count = 4 + seed % 5
    words = [1 + (5 * i + seed) % (sizes["vocab"] - 1) for i in range(count)] + [0] * (8 - count)
    depth = residue_input((length, 128, 4, 4), 600 + seed)
    if "map_channels" in sizes:
        maps = formula_maps([seed + 10 * i for i in range(length)])
        sights = Sights(depth_features=depth, **maps)
    else:
        shape = (length, sizes["rgb_feature_channels"], 4, 4)
        sights = Sights(depth_features=depth, rgb_features=residue_input(shape, 700 + seed))
    return WalkedEpisode(
        torch.tensor(words), sights, torch.tensor([0, *actions[:-1]]), torch.tensor(actions),
        torch.linspace(0, 1, length), begins_tour,
    )  # fmt: skip
