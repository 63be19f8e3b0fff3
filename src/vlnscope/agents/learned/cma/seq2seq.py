"""The sequence-to-sequence agent of VLN-CE (Krantz et al., ECCV 2020): one unit hears and sees all."""

from __future__ import annotations

import torch
from torch import Tensor

from vlnscope.agents.learned.cma.config import Seq2SeqCeConfig
from vlnscope.agents.learned.cma.instructions import Instructions
from vlnscope.agents.learned.cma.official_layouts import seq2seq_layout
from vlnscope.agents.learned.cma.policy import ContinuousPolicy, PolicyNet, without_images
from vlnscope.agents.learned.cma.recurrence import MaskedGru
from vlnscope.agents.learned.cma.sights import Sights
from vlnscope.agents.learned.cma.steps import Steps
from vlnscope.agents.learned.cma.visual_encoders import DepthVectorEncoder, RgbVectorEncoder


class Seq2SeqNet(PolicyNet):
    """Reads in one direction and keeps the last word's state."""

    def __init__(self, config: Seq2SeqCeConfig) -> None:
        super().__init__(config, both_ways=False, uses_previous=config.uses_previous)
        self.rgb_encoder, self.depth_encoder = RgbVectorEncoder(config), DepthVectorEncoder(config)
        inward = self.instruction_encoder.width + config.depth_out + config.rgb_out
        inward += config.action_size * config.uses_previous
        self.state_encoder = MaskedGru(inward, config.hidden)

    def forward(self, words: Instructions, steps: Steps, state: Tensor) -> tuple[Tensor, Tensor]:
        """Join all, and decide."""
        sights = steps.rows()
        seen = steps.followed(torch.cat([self.depth_encoder(sights), self.rgb_encoder(sights)], dim=1))
        whole = torch.cat(
            [words.last[steps.text], steps.scattered(seen), *self.embed_previous(steps)], dim=-1
        )
        gru = self.state_encoder(whole, state[:, 0], steps.same_episode, steps.valid)
        return gru.outputs, gru.state[:, None]

    def encode_images(self, sights: Sights) -> Sights:
        """Return the features of colours and depth."""
        rgb = self.rgb_encoder.features(sights, 1)
        return without_images(sights, rgb_features=rgb, depth_features=self.depth_encoder.features(sights))


class Seq2SeqCe(ContinuousPolicy):
    """The sequence-to-sequence agent."""

    name = "seq2seq_ce"
    Config = Seq2SeqCeConfig
    layouts = (seq2seq_layout(),)

    config: Seq2SeqCeConfig

    def __init__(self, config: Seq2SeqCeConfig) -> None:
        super().__init__(config, Seq2SeqNet(config))
