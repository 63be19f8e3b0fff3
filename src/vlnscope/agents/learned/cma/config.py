"""Sizes and options of the recurrent agents of continuous environments.

The official codes do some things that their papers do not say, and that nobody would do on purpose. Each is
an option: weights that were trained so need it (the layouts of `official_layouts` set it), new ones do not.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from vlnscope.agents.learned.cma.residual import BLOCKS
from vlnscope.agents.learned.network import NetworkConfig, presets

CELLS = 4
"""Images are seen as so many cells along each side."""


@dataclass(frozen=True, kw_only=True)
class PolicyConfig(NetworkConfig):
    """Sizes of a recurrent agent that chooses among small steps and turns.

    Attributes:
        vocabulary: how many words it knows; 0 if it is given vectors of words.
        max_tokens: how many words of an instruction it reads.
        word_size: of word embeddings, or of the vectors it is given.
        word_hidden: of the LSTM over words, per direction.
        hidden: of the recurrent units that decide.
        actions: how many actions there are; 0 is stopping.
        action_size: of the embedding of the previous action.
        rgb_layers: of the network that sees colours (14, 26 or 50); 0 if its features are given.
        rgb_channels: of the features that it makes.
        rgb_out: of what is decided from, of colours.
        depth_layers: of the network that sees depth; 0 if its features are given.
        depth_planes: width of that network where it begins.
        depth_channels: of the features that it makes.
        depth_out: of what is decided from, of depth.
        trains_words: whether word embeddings are learned.
        trains_encoders: whether the networks that see are learned; else they stay as they were loaded.
        normalise_rgb: whether colours are normalised as for ImageNet; the official codes do not, though
            their weights are ImageNet's.
        encoders_drift: whether batch norms of a network that is not learned take the statistics of each
            batch in training, and keep them: all 53 do in the official codes.
        resets_when_led: whether an episode counts as begun anew at each step of a tour that an oracle walks.
        padding_runs_on: whether what an episode leaves behind has gone through the padding after it, where
            a longer one was beside it in a batch.
    """

    vocabulary: int
    max_tokens: int = 200
    word_size: int = 50
    word_hidden: int = 128
    hidden: int = 512
    actions: int = 4
    action_size: int = 32
    rgb_layers: int = 50
    rgb_channels: int = 2048
    rgb_out: int = 256
    depth_layers: int = 50
    depth_planes: int = 32
    depth_channels: int = 128
    depth_out: int = 128
    trains_words: bool = True
    trains_encoders: bool = False
    normalise_rgb: bool = True
    encoders_drift: bool = False
    resets_when_led: bool = False
    padding_runs_on: bool = False

    def __post_init__(self) -> None:
        for name in ("rgb_layers", "depth_layers"):
            self.require(
                getattr(self, name) in (0, *BLOCKS), name, f"0 or one of {', '.join(map(str, BLOCKS))}"
            )
        whole = not self.rgb_layers or self.rgb_channels % 32 == 0
        self.require(whole, "rgb_channels", "a multiple of 32, where a network makes them")
        self.require(self.depth_planes % 2 == 0, "depth_planes", "an even number: two for each group")
        self.require(self.hidden % 2 == 0, "hidden", "an even number")


@dataclass(frozen=True, kw_only=True)
class Seq2SeqCeConfig(PolicyConfig):
    """Sizes of the sequence-to-sequence agent.

    Attributes:
        uses_previous: whether it is told its previous action.
    """

    PRESETS: ClassVar = presets("seq2seq_ce")

    uses_previous: bool = True


@dataclass(frozen=True, kw_only=True)
class CmaConfig(PolicyConfig):
    """Sizes of CMA and what remembers tours like it.

    Attributes:
        cell_size: of the embedding of each cell of an image.
        scrambled_cells: whether the table of these embeddings is read by columns where it was written by
            rows: each cell then has numbers of several cells, the same ones always.
        state_spans_tour: of TourCMA, whether the second recurrent unit remembers a tour too, as in the
            official code; in the paper only the first does.
    """

    PRESETS: ClassVar = presets("cma")

    cell_size: int = 64
    scrambled_cells: bool = False
    state_spans_tour: bool = False


@dataclass(frozen=True, kw_only=True)
class MapCmaConfig(CmaConfig):
    """Sizes of MAP-CMA, which sees depth and a map instead of colours.

    Attributes:
        map_channels: of the first layer over the map.
        map_growth: by how much wider the last layer is.
        map_out: of what is decided from, of the map.
        classes: kinds of cells of the map, "nothing" included.
    """

    PRESETS: ClassVar = presets("map_cma")

    map_channels: int = 32
    map_growth: int = 4
    map_out: int = 256
    classes: int = 13
