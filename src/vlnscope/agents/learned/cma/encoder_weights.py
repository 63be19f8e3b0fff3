"""Weights of the networks that see, as they are released by themselves: ImageNet's ResNet, DD-PPO's depth."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from torch import Tensor, nn

from vlnscope.agents.learned.checkpoints import read_content
from vlnscope.agents.learned.cma.policy import ContinuousPolicy
from vlnscope.agents.learned.cma.visual_encoders import DepthEncoder, RgbEncoder
from vlnscope.agents.learned.public_checkpoints import KeyReport, place_weights
from vlnscope.agents.learned.released_files import parts_of
from vlnscope.core.exceptions import InputError

_VISUAL = "visual_encoder."
_PLACES = {"conv1": "0", "bn1": "1", **{f"layer{number}": str(number + 3) for number in range(1, 5)}}
"""Where the parts of torchvision's ResNet lie in ours, which is a sequence, as in VLN-CE."""


def load_depth_encoder(policy: ContinuousPolicy, file: str | Path) -> KeyReport:
    """Let an agent see depth as a DD-PPO agent does (``gibson-2plus-resnet50.pth``).

    Raises:
        InputError: the agent has no such network, or the file not all of its weights in their shapes.
    """
    network = _network(policy, "depth_encoder", DepthEncoder)
    weights = {
        name.partition(_VISUAL)[2]: tensor for name, tensor in _weights(file).items() if _VISUAL in name
    }
    return _placed(network, weights, file, "DD-PPO's depth encoder")


def load_rgb_encoder(policy: ContinuousPolicy, file: str | Path) -> KeyReport:
    """Let an agent see colours through a ResNet of torchvision (``resnet50-….pth``), but for its last layer.

    Raises:
        InputError: the agent has no such network, or the file not all of its weights in their shapes.
    """
    network = _network(policy, "rgb_encoder", RgbEncoder)
    weights: dict[str, Tensor] = {}
    for name, tensor in _weights(file).items():
        head, _, rest = name.partition(".")
        weights[f"{_PLACES.get(head, head)}.{rest}"] = tensor
    return _placed(network, weights, file, "torchvision's ResNet")


def _weights(file: str | Path) -> Mapping[str, Tensor]:
    parts = parts_of(read_content(file))
    return {name: tensor for part in parts.values() for name, tensor in part.items()}


def _network(policy: ContinuousPolicy, name: str, kind: type[DepthEncoder] | type[RgbEncoder]) -> nn.Module:
    encoder: Any = getattr(policy.net, name, None)
    network = encoder.network() if isinstance(encoder, kind) else None
    if network is None:
        raise InputError(
            f"the model {policy.name!r} has no {name} of its own",
            expected="a model that makes features of images itself",
            fix=f"make it with {name.split('_')[0]}_layers = 50, if it has that size",
        )
    return network


def _placed(network: nn.Module, weights: dict[str, Tensor], file: str | Path, what: str) -> KeyReport:
    wanted = network.state_dict()
    if missing := [
        name for name in wanted if name not in weights and not name.endswith("num_batches_tracked")
    ]:
        raise InputError(
            f"{file}: lacks {len(missing)} of {len(wanted)} weights of {what}: {', '.join(missing[:3])}",
            expected=f"all weights of {what}, in the sizes of the model",
            fix="name the file as it was released",
        )
    return place_weights(wanted, weights, str(file), what)
