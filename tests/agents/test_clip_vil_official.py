"""CLIP-ViL's follower and speaker have the layouts of the official code, and compute what it does."""

from __future__ import annotations

import json
import math
import re
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="needs torch (pip install 'vlnscope[learn]')")

from hash_rule import fill, made_input, shapes  # noqa: E402
from tiny_models import WIDTH, livelier, on_paper, texts, tiny, visuals  # noqa: E402
from vlnscope.agents.learned.checkpoints import make_network  # noqa: E402
from vlnscope.agents.learned.clip_vil import ClipVil, ClipVilConfig  # noqa: E402
from vlnscope.agents.learned.envdrop import EnvDrop  # noqa: E402
from vlnscope.agents.learned.speaker_follower.envdrop_speaker import EnvDropSpeaker, EnvDropSpeakerConfig  # noqa: E402
from vlnscope.agents.learned.speaker_network import SpeakerState, WalkStep  # noqa: E402

pytestmark = pytest.mark.usefixtures("one_thread_of_torch")

BEGINS = {"max": "max", "tanh": "last"}
"""What the official code calls what an agent starts to decide from."""


def close(own: Any, official: Any, atol: float = 2e-5) -> None:
    torch.testing.assert_close(own, torch.as_tensor(official, dtype=own.dtype), atol=atol, rtol=0)


@pytest.fixture(scope="module")
def oracle(shared: Path) -> Any:
    return json.loads((shared / "fixtures" / "clip_vil.json").read_text())


def sizes_of(oracle: Any, **changes: Any) -> ClipVilConfig:
    follower = oracle["state_dict"]
    vocabulary, word_size = follower["encoder"]["embedding.weight"]
    action_size, angle_size = follower["decoder"]["embedding.0.weight"]
    view, hidden = follower["decoder"]["candidate_att_layer.linear_in.weight"]
    return ClipVilConfig(
        vocabulary=vocabulary,
        word_size=word_size,
        action_size=action_size,
        angle_size=angle_size,
        image_size=view - angle_size,
        hidden=hidden,
        **changes,
    )


def test_layouts_are_the_official_ones(oracle: Any) -> None:
    small, full = ClipVil(sizes_of(oracle)), oracle["full_size"]
    assert {part: shapes(module) for part, module in small.parts().items()} == oracle["state_dict"]
    for name, official in full.items():
        if found := re.fullmatch(r"decoder_feature_(\d+)", name):
            model = on_paper("clip_vil", "full", image_size=int(found[1]))
            decoder = shapes(model.parts()["decoder"])
            assert decoder == official["state_dict"]
            assert sum(math.prod(shape) for shape in decoder.values()) == official["num_params"]
    parts = on_paper("clip_vil", "full").parts()
    assert shapes(parts["encoder"]) == full["encoder_vocab_992"]["state_dict"]
    assert shapes(parts["critic"]) == full["critic"]["state_dict"]
    with torch.device("meta"):
        speaker = EnvDropSpeaker(EnvDropSpeakerConfig.preset("full", image_size=512))
    assert shapes(speaker.encoder) == full["speaker_encoder_512"]["state_dict"]
    assert shapes(speaker.decoder) == full["speaker_decoder_vocab_992"]["state_dict"]


def test_presets_see_through_the_published_features() -> None:
    widths = {name: preset["image_size"] for name, preset in ClipVilConfig.PRESETS.items() if name != "small"}
    assert set(widths.values()) == {512, 640, 2048}
    rxr, r2r = ClipVilConfig.preset("rxr"), ClipVilConfig.preset("vit-b32")
    assert rxr.max_tokens == 160
    assert {k: v for k, v in rxr.to_dict().items() if r2r.to_dict()[k] != v} == {"max_tokens": 160}


@torch.no_grad()
def test_the_follower_computes_what_the_official_code_does(oracle: Any) -> None:
    assert oracle["follower_cases"]
    for case in oracle["follower_cases"]:
        tokens, lengths = torch.tensor(case["ids"]), torch.tensor(case["lengths"])
        # zeros that fill texts up to the longest of a batch count as words do: so the longest is the limit
        config = sizes_of(oracle, max_tokens=int(lengths.max()), begin=BEGINS[case["sub_out"]])
        model = ClipVil(config).eval()
        for part in model.parts().values():
            fill(part, salt=case["weights_salt"], scale=case["weights_scale"])
        state = model.start(tokens, torch.arange(tokens.shape[1]) < lengths[:, None])
        close(state.context[..., :3], case["init"]["ctx_first3"])
        close(state.hidden, case["init"]["h"])
        close(state.cell, case["init"]["c"])
        for number, step in enumerate(case["steps"]):
            seen, ways = shown(config, case["case"], number, step)
            scores, state = model.decoder(*seen, state)
            compare(scores, ways, step["logits"])
            close(state.hidden, step["h1"])
            close(state.spoken, step["h_tilde"])
            close(model.value(state), step["value"])


def shown(config: ClipVilConfig, case: int, number: int, step: Any) -> tuple[Any, Any]:
    """Where the agent looks, the panorama, and the candidates: stopping last, after the padding."""
    ways = torch.tensor(step["candidate_lengths_incl_stop"]) - 1
    rows, most, view = len(ways), int(ways.max()), config.view_size
    candidates = torch.zeros(rows, most + 1, view)
    for row, count in enumerate(ways.tolist()):
        candidates[row, :count] = made_input((count, view), 7200 + 100 * case + 10 * number + row)
    looks = made_input((rows, config.angle_size), 7000 + 100 * case + number)
    panorama = made_input((rows, 36, view), 7100 + 100 * case + number)
    return (looks, panorama, candidates), ways


def compare(scores: Any, ways: Any, official: Any) -> None:
    for row, count in enumerate(ways.tolist()):
        wanted = [float(each) for each in official[row]]
        close(scores[row, :count], wanted[:count])
        assert scores[row, -1] == wanted[count] == 0.0
        assert wanted[count + 1 :] == [-math.inf] * (len(wanted) - count - 1)


@torch.no_grad()
def test_the_speaker_computes_what_the_official_code_does(oracle: Any) -> None:
    assert oracle["speaker_cases"]
    for case in oracle["speaker_cases"]:
        sizes, number = sizes_of(oracle).to_dict(), case["case"]
        known = {field.name for field in fields(EnvDropSpeakerConfig)}
        config = EnvDropSpeakerConfig(**{name: size for name, size in sizes.items() if name in known})
        speaker = EnvDropSpeaker(config).eval()
        assert shapes(speaker.encoder) == oracle["speaker_state_dict"]["speaker_encoder"]
        assert shapes(speaker.decoder) == oracle["speaker_state_dict"]["speaker_decoder"]
        for part in (speaker.encoder, speaker.decoder):
            fill(part, salt=case["weights_salt"], scale=case["weights_scale"])
        chosen = made_input((2, 4, config.view_size), 8000 + number)
        panoramas = made_input((2, 4, 36, config.view_size), 8100 + number)
        through = torch.ones(2, 4, dtype=torch.bool)  # the official code reads short walks on
        context = speaker.encoder(chosen, panoramas, through)
        close(context[..., :6], case["ctx"])
        words = torch.tensor([[3, 5, 9, 12, 2], [3, 7, 8, 2, 0]])
        none = context.new_zeros(2, config.hidden)
        state = SpeakerState(context, torch.arange(4) < torch.tensor([4, 3])[:, None], none, none)
        spoken = speaker.decoder(words, state)
        close(spoken.logits[..., :8], case["logits_first8"])
        close(spoken.hidden, case["h"])


@torch.no_grad()
def test_stopping_scores_exactly_zero() -> None:
    """So the agent stops exactly where every candidate scores less."""
    for name in ("clip_vil", "envdrop"):
        model = tiny(name)
        assert isinstance(model, EnvDrop)
        logits, _ = model.step(model.start(*texts(2, 5)), visuals(2, 5, 4))
        assert (logits[:, -1] == 0).all()


@torch.no_grad()
def test_padding_takes_part_only_in_the_maximum() -> None:
    """With `last` the start depends on words alone; with `max` a zero takes part in short texts."""
    tokens, mask = texts(3, 4)
    for begin in ("max", "last"):
        model = tiny("clip_vil", begin=begin, max_tokens=9)
        again = tiny("clip_vil", begin=begin, max_tokens=int(mask.sum(1).max()))
        same = torch.equal(model.start(tokens, mask).hidden, again.start(tokens, mask).hidden)
        assert same or begin == "max"
        alone = model.start(tokens[:1], mask[:1])
        torch.testing.assert_close(model.start(tokens, mask).hidden[:1], alone.hidden)


def tiny_speaker(**changes: Any) -> EnvDropSpeaker:
    sizes = {"vocabulary": 9, "image_size": WIDTH, "angle_size": 4, "hidden": 8, **changes}
    made = make_network(EnvDropSpeaker, EnvDropSpeakerConfig.preset("small", **sizes))
    return livelier(made, 1).double().eval()


def steps_of(rows: int, sizes: Any) -> list[WalkStep]:
    count = int(sizes.max())
    return [
        WalkStep(visuals(step, rows, 3), torch.full((rows,), step % 4), sizes > step) for step in range(count)
    ]


@torch.no_grad()
def test_a_speaker_scores_word_by_word() -> None:
    speaker, sizes = tiny_speaker(), torch.tensor([3, 2])
    state = speaker.read(steps_of(2, sizes), sizes)
    words = torch.tensor([[5, 2, 0, 0], [4, 6, 7, 2]])
    scores = speaker.word_scores(state, words)
    assert (scores[words != 0] < 0).all()
    assert (scores[words == 0] == 0).all()
    before, after = torch.full((2,), speaker.begin), state
    for column, own in zip(words.T, scores.T, strict=True):
        logits, after = speaker.say(before, after)
        found = logits.log_softmax(1).gather(1, column[:, None])[:, 0].masked_fill(column == 0, 0.0)
        torch.testing.assert_close(found, own)
        before = column
    said = speaker.write(state, lambda logits, number: logits.argmax(1))
    assert said.shape[1] <= speaker.config.max_tokens
    best = speaker.logits(state, said).argmax(2)
    assert torch.equal(best[said != 0], said[said != 0])


@torch.no_grad()
def test_short_walks_are_read_on_only_as_in_the_official_code() -> None:
    """What a short walk is like depends on the longest beside it, where the model `runs_on`."""
    sizes = torch.tensor([2, 4])
    for runs_on in (False, True):
        speaker = tiny_speaker(runs_on=runs_on)
        both = speaker.read(steps_of(2, sizes), sizes).context[:1, :2]
        alone = [
            WalkStep(rows_of(step.visual, 1), step.done[:1], step.there[:1])
            for step in steps_of(2, sizes)[:2]
        ]
        own = speaker.read(alone, sizes[:1]).context
        assert torch.allclose(both, own) is not runs_on


def rows_of(visual: Any, count: int) -> Any:
    return replace(
        visual,
        **{f.name: value[:count] for f in fields(visual) if (value := getattr(visual, f.name)) is not None},
    )
