"""Small models that reason over a map, with the sizes and the weights of their oracles."""

from __future__ import annotations

from typing import Any

from hash_rule import fill
from vlnscope.agents.learned.model import model_class


class Numbers:
    """Reads a text of numbers."""

    def __init__(self, size: int) -> None:
        self.size = size

    def encode(self, text: str, longest: int) -> list[int]:
        return [int(word) for word in text.split()][:longest]

    def to_dict(self) -> dict[str, Any]:
        return {}


def made(name: str, official: dict[str, Any], case: dict[str, Any], **more: Any) -> Any:
    sizes, kind = official["config"] | case["config_changes"], model_class(name)
    config = kind.Config(
        vocabulary=sizes["vocab_size"],
        image_size=sizes["image_feat_size"],
        angle_size=sizes["angle_feat_size"],
        hidden=sizes["hidden_size"],
        heads=sizes["num_attention_heads"],
        wide=sizes["intermediate_size"],
        max_positions=sizes["max_position_embeddings"],
        max_tokens=sizes["max_position_embeddings"],
        text_layers=sizes["num_l_layers"],
        pano_layers=sizes["num_pano_layers"],
        cross_layers=sizes["num_x_layers"],
        max_steps=sizes["max_action_steps"],
        layer_norm_eps=sizes["layer_norm_eps"],
        dynamic_fusion=sizes["glocal_fuse"],
        distance_bias=sizes["graph_sprels"],
        max_actions=case["max_action_len"],
        **more,
    )
    model = kind(config)
    fill(model.vln_bert, rule=case["weights_rule"], salt=case["weights_salt"], scale=case["weights_scale"])
    return model.double().eval()
