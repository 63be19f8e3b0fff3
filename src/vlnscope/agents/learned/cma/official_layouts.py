"""What checkpoints of VLN-CE and IVLN-CE look like: ``{'state_dict': …, 'config': …}``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from vlnscope.agents.learned.layouts import Layout, Shape, Size

OFFICIAL: Mapping[str, Any] = {
    "trains_words": False,
    "trains_encoders": False,
    "normalise_rgb": False,
    "encoders_drift": True,
    "resets_when_led": True,
    "padding_runs_on": True,
}
"""How the official codes do what their papers do not say."""

_CELLS: Mapping[str, Any] = {**OFFICIAL, "scrambled_cells": True, "state_spans_tour": True}
_WORD = "net/instruction_encoder.encoder_rnn"
_EMBEDDING = "net/instruction_encoder.embedding_layer.weight"
_GRU = "net/state_encoder.rnn"
_DEPTH = "net/depth_encoder.visual_encoder"
_SHARED = {
    "word_hidden": Size(f"{_WORD}.weight_hh_l0", 1),
    "hidden": Size(f"{_GRU}.weight_hh_l0", 1),
    "actions": Size("action_distribution/linear.weight", 0),
    "depth_planes": Size(f"{_DEPTH}.backbone.conv1.0.weight", 0),
    "depth_channels": Size(f"{_DEPTH}.compression.0.weight", 0),
}
_BY_ID = {"vocabulary": Size(_EMBEDDING, 0), "word_size": Size(_EMBEDDING, 1)}
_BY_VECTOR = {"word_size": Size(f"{_WORD}.weight_ih_l0", 1)}
_BOTH = {
    **_SHARED,
    "action_size": Size("net/prev_action_embedding.weight", 1),
    "cell_size": Size("net/depth_encoder.spatial_embeddings.weight", 1),
    "depth_out": Size("net/depth_linear.1.weight", 0),
}
_RGB = {
    **_BOTH,
    "rgb_out": Size("net/rgb_linear.2.weight", 0),
    "rgb_channels": Size("net/rgb_linear.2.weight", 1, less="cell_size"),
}
_RGB_MARKS = ("net/second_state_encoder.rnn.weight_hh_l0", "net/rgb_kv.weight", "net/depth_kv.weight")


def _layout(title: str, marks: tuple[str, ...], sizes: Mapping[str, Size], **more: Any) -> Layout:
    return Layout(
        title,
        marks=marks,
        sizes=sizes,
        told={"normalise_rgb": "MODEL.normalize_rgb"},
        words=more.pop("words", "r2r-ce"),
        steps=500,
        **more,
    )


def _hears_memory(*, wanted: bool) -> Callable[[Mapping[str, Shape]], bool]:
    """Say of weights whether the first recurrent unit hears as much more as it says itself."""
    inward = f"{_GRU}.weight_ih_l0"
    heard = ("net/rgb_linear.2.weight", "net/depth_linear.1.weight", "net/prev_action_embedding.weight")

    def holds(shapes: Mapping[str, Shape]) -> bool:
        if any(len(shapes.get(name, ())) != 2 for name in (inward, *heard)):
            return False
        rgb, depth, action = (shapes[name] for name in heard)
        more = shapes[inward][1] - rgb[0] - depth[0] - action[1]
        return (more > 0) is wanted

    return holds


def cma_layouts() -> tuple[Layout, ...]:
    """Return those of CMA: for R2R-CE, and for RxR-CE, which is given vectors of words."""
    fixed = {**_CELLS, "rgb_layers": 50, "depth_layers": 50}
    without = _hears_memory(wanted=False)
    return (
        _layout(
            "CMA (Krantz et al. 2020)",
            (*_RGB_MARKS, _EMBEDDING),
            {**_RGB, **_BY_ID},
            fixed=fixed,
            condition=without,
        ),
        _layout(
            "CMA for RxR-CE (Krantz et al. 2020)",
            _RGB_MARKS,
            {**_RGB, **_BY_VECTOR},
            fixed={**fixed, "vocabulary": 0},
            condition=lambda shapes: without(shapes) and _EMBEDDING not in shapes,
            words="a BERT of many languages",
        ),
    )


def tour_layout() -> Layout:
    """Return that of TourCMA, whose weights are like CMA's: only the config of its checkpoints tells."""
    cma = cma_layouts()[0]
    return _layout(
        "TourCMA (Krantz et al. 2023)",
        cma.marks,
        cma.sizes,
        fixed=cma.fixed,
        condition=cma.condition,
        settings={"MODEL.tour_memory": True},
    )


def pool_layout(title: str, *, at_end: bool = False) -> Layout:
    """Return that of PoolCMA or PoolEndCMA."""
    cma = cma_layouts()[0]
    marks = (*cma.marks, *(["net/out_layer.0.weight"] if at_end else []))
    return _layout(title, marks, cma.sizes, fixed=cma.fixed, condition=_hears_memory(wanted=True))


def map_layout() -> Layout:
    """Return that of MAP-CMA."""
    first = "net/map_encoder.cnn.0.conv.0.weight"
    sizes = {
        **_BOTH,
        **_BY_ID,
        "map_channels": Size(first, 0),
        "classes": Size(first, 1, less=1),
        "map_out": Size("net/map_linear.1.weight", 0),
    }
    fixed = {**_CELLS, "depth_layers": 50, "rgb_layers": 0}
    return _layout("MAP-CMA (Krantz et al. 2023)", (first, "net/map_kv.weight"), sizes, fixed=fixed)


def seq2seq_layout() -> Layout:
    """Return that of the sequence-to-sequence agent of VLN-CE."""
    sizes = {
        **_SHARED,
        **_BY_ID,
        "depth_out": Size("net/depth_encoder.visual_fc.1.weight", 0),
        "rgb_out": Size("net/rgb_encoder.fc.1.weight", 0),
        "rgb_channels": Size("net/rgb_encoder.fc.1.weight", 1),
    }
    return _layout(
        "Seq2Seq (Krantz et al. 2020)",
        ("net/rgb_encoder.fc.1.weight", "net/depth_encoder.visual_fc.1.weight"),
        sizes,
        fixed={**OFFICIAL, "rgb_layers": 50, "depth_layers": 50},
        switches={"uses_previous": "net/prev_action_embedding."},
    )
