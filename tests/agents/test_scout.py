"""Scout: the small model that reads vectors of words."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch", reason="needs the extra learn")

from vlnscope.agents.learned.checkpoints import make_model  # noqa: E402
from vlnscope.agents.learned.inputs import VisualInput  # noqa: E402
from vlnscope.agents.learned.packing import Packing  # noqa: E402
from vlnscope.agents.learned.scout import Scout, ScoutConfig  # noqa: E402
from vlnscope.agents.learned.vocabulary import SentenceVocabulary, vocabulary_of  # noqa: E402
from vlnscope.core.exceptions import InputError  # noqa: E402
from vlnscope.core.rng import rng_for  # noqa: E402

WIDTH = 6


def scout(**changes: object) -> Scout:
    sizes = {"word_size": 10, "image_size": WIDTH, "hidden": 16, "max_tokens": 9, **changes}
    model = make_model("scout", ScoutConfig.preset("small", **sizes), seed=1).double().eval()
    assert isinstance(model, Scout)
    return model


def visual(rows: int) -> VisualInput:
    chance = rng_for(0, "visual")
    return VisualInput(
        torch.tensor(chance.normal(size=(rows, 36, WIDTH))),
        torch.zeros(rows, dtype=torch.long),
        torch.tensor(chance.integers(0, 36, (rows, 3))),
        torch.tensor(chance.uniform(0, 6, (rows, 3))),
        torch.zeros(rows, 3, dtype=torch.float64),
        torch.tensor([[True, True, row % 2 == 0] for row in range(rows)]),
        torch.full((rows,), -1),
        torch.zeros(rows, dtype=torch.long),
        torch.arange(1, 4).expand(rows, -1),
        torch.ones(rows, 3, dtype=torch.float64),
    )


def words(rows: int, size: int) -> tuple[torch.Tensor, torch.Tensor]:
    vectors = torch.tensor(rng_for(1, "words").normal(size=(rows, size, 10)))
    return vectors, torch.arange(size) < torch.tensor([size - row % 2 for row in range(rows)])[:, None]


@torch.no_grad()
def test_padding_of_vectors_does_not_matter() -> None:
    model, (vectors, mask) = scout(), words(3, 5)
    logits, _ = model.step(model.start(vectors, mask), visual(3))
    longer = torch.nn.functional.pad(vectors, (0, 0, 0, 2), value=7.0), torch.nn.functional.pad(mask, (0, 2))
    again, _ = model.step(model.start(*longer), visual(3))
    torch.testing.assert_close(again, logits, atol=1e-10, rtol=0)


@torch.no_grad()
def test_heads_prefer_words_like_what_is_seen() -> None:
    """The word that is the very vector of a candidate's view is preferred by that candidate."""
    model, seen, (vectors, mask) = scout(), visual(2), words(2, 5)
    vectors[0, 2, -WIDTH:] = seen.images[0, seen.views[0, 1]]
    heed = model._heed(model.start(vectors, mask), seen)
    assert heed.shape == (2, 4, 5, 5)
    assert heed[0, 0, 3].argmax() == 2
    assert heed[0, 0, 0].argmax() == 2
    assert torch.equal(heed[0, 3], torch.zeros(5, 5, dtype=torch.float64)), "other heads prefer nothing"
    assert heed[1, :, :, 4].isneginf().all(), "the second text has four words"
    off = scout(alike_heads=0)
    off.load_state_dict(model.state_dict())
    ours, _ = model.step(model.start(vectors, mask), seen)
    theirs, _ = off.step(off.start(vectors, mask), seen)
    assert not torch.allclose(ours, theirs)


def test_gradients_are_those_of_padded_tokens() -> None:
    mask = torch.tensor([[True, False, True], [True, True, False]])
    packing, given = Packing.of(mask), torch.randn(2, 3, 4, dtype=torch.float64, requires_grad=True)
    weights = torch.randn(2, 3, 4, dtype=torch.float64)
    (packing.spread(packing.pack(given).square()) * weights).sum().backward()
    expected = 2 * given.detach() * weights * mask[..., None]
    torch.testing.assert_close(given.grad, expected)
    assert torch.equal(packing.each(torch.tensor([[5.0], [6.0]])).flatten(), torch.tensor([5.0, 5, 6, 6]))


def test_words_are_left_out_in_training_only() -> None:
    model, given = scout(word_dropout=0.9, dropout=0.0), words(4, 8)
    first = model.start(*given).keys
    assert torch.equal(first, model.start(*given).keys)
    torch.manual_seed(0)
    assert not torch.allclose(model.train().start(*given).keys, first)


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(InputError, match="alike_heads"):
        ScoutConfig.preset("small", vocabulary=12)
    with pytest.raises(InputError, match="another-encoder"):
        vocabulary_of({"kind": "sentences", "encoder": "another-encoder"})
    assert vocabulary_of(SentenceVocabulary().to_dict()).size == 0
