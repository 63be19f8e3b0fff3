"""`vlnscope grammar` (language)."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from vlnscope.cli.shared import output
from vlnscope.cli.shared.options import Json, Root
from vlnscope.cli.shared.verbs import subverb
from vlnscope.core.exceptions import InputError
from vlnscope.core.results import Line, TextTable, lines

if TYPE_CHECKING:
    from vlnscope.evaluate.language.grammar_construction import Judge
    from vlnscope.language.induce.proposals import Proposal
    from vlnscope.language.induce.rounds import ConstructionRound, Proposer

app = typer.Typer(no_args_is_help=True)


@app.callback()
def grammar() -> None:
    """Show the grammar of instructions, what it cannot cover, and build it further."""


KEY = "VLNSCOPE_MODEL_KEY"


@subverb(app, "show")
def show(
    names: Annotated[list[str] | None, typer.Argument(help="Categories and terminals; all if none.")] = None,
    json: Json = False,
) -> None:
    """Show the productions of the grammar, under the names of the NavNuances grammar, and its words.

    **Examples**

    `vlnscope grammar show`

    `vlnscope grammar show action_t ORDINAL --json`
    """
    from vlnscope.language.parse.grammar_view import view

    grammar_view = view(names or ())
    if json:
        output.print_json(grammar_view)
        return
    for category in grammar_view.categories:
        title = f"{category.name}  {category.paper}".rstrip()
        output.show(Line(f" {' '.join(category.atomic)}", title, "bold"))
        output.show(*lines(f"  -> {' '.join(symbols)}" for symbols in category.productions))
    rows = [[each.name, each.paper, ", ".join(each.words[:8])] for each in grammar_view.terminals]
    if rows:
        output.show(TextTable("terminals", ("name", "paper", "words"), rows, texts=3))


@subverb(app, "cover")
def cover(
    data: Annotated[str, typer.Option(help="Data set whose instructions are read.")],
    root: Root = None,
    limit: Annotated[int, typer.Option(help="List so many words that are left over.")] = 20,
    json: Json = False,
) -> None:
    """Say how much of a corpus the grammar covers, and which words are left over most often.

    **Examples**

    `vlnscope grammar cover --data r2r/val_unseen`

    `vlnscope grammar cover --data r2r/train --json`
    """
    from vlnscope.episodes.datasets.dataset import open_dataset
    from vlnscope.evaluate.language.grammar_construction import texts_of
    from vlnscope.language.induce.coverage import coverage, failures, leftovers

    texts = texts_of(open_dataset(data, root))
    covered, missing = coverage(texts), leftovers(failures(texts))[:limit]
    if json:
        shares = {"word_share": covered.word_share, "whole_share": covered.whole_share}
        output.print_json({"coverage": covered, **shares, "left_over": missing})
        return
    rows = [[each.phrase, ", ".join(each.examples), str(each.instructions)] for each in missing]
    table = TextTable("left over", ("words", "for example in", "instructions"), rows, texts=2)
    output.show(_shares(data, covered.word_share, covered.whole_share), table)


@subverb(app, "build")
def build(
    data: Annotated[str, typer.Option(help="Data set that proposals come from.")],
    check: Annotated[str, typer.Option(help="Data set that coverage is measured on.")],
    out: Annotated[Path, typer.Option(help="Folder of the log.")],
    root: Root = None,
    rounds: Annotated[int, typer.Option(help="How many rounds at most.")] = 10,
    accept_all: Annotated[bool, typer.Option("--accept-all", help="Accept every proposal.")] = False,
    verdicts: Annotated[Path | None, typer.Option(help="File of verdicts (JSON lines).")] = None,
    least: Annotated[int, typer.Option(help="Instructions that a proposal must unlock.")] = 2,
    most: Annotated[int, typer.Option(help="Proposals per round.")] = 50,
    url: Annotated[str | None, typer.Option(help="Ask a model: address of its API.")] = None,
    model: Annotated[str | None, typer.Option(help="Name of the model.")] = None,
    json: Json = False,
) -> None:
    """Propose productions that the grammar lacks, take those that somebody accepts, and measure.

    Each round proposes productions that the grammar lacks, ranked by how many instructions of --data they
    would unlock. You decide (at the terminal, with --verdicts, or --accept-all); coverage is measured on
    --check. The folder keeps a log, and the next call goes on from it. What nobody has decided is in
    `undecided.jsonl`: write true or false behind `accept`, and pass the file as --verdicts. A model is asked
    with --url and --model; its key, if it wants one, is read from `VLNSCOPE_MODEL_KEY`.

    **Examples**

    `vlnscope grammar build --data r2r/train --check r2r/val_unseen --out rounds`

    `vlnscope grammar build --data r2r/train --check r2r/val_unseen --out rounds --verdicts verdicts.jsonl`

    `vlnscope grammar build --data r2r/train --check r2r/val_unseen --out rounds --url URL --model NAME`
    """
    from vlnscope.episodes.datasets.dataset import open_dataset
    from vlnscope.evaluate.language import grammar_construction as construction

    judge = _judge(accept_all, verdicts)
    proposer = _proposer(url, model)
    done = []
    for each in construction.build_grammar(
        open_dataset(data, root),
        open_dataset(check, root),
        out,
        judge,
        rounds=rounds,
        proposer=proposer,
        least=least,
        most=most,
    ):
        done.append(each)
        if not json:
            _print_round(each, check)
    if json:
        output.print_json({"rounds": done, "productions": str(out / construction.PRODUCTIONS)})
        return
    waiting = (
        len(construction.read_decisions(out / construction.UNDECIDED))
        if (out / construction.UNDECIDED).is_file()
        else 0
    )
    if waiting:
        output.show(f"{waiting} proposals wait for a verdict in {out / construction.UNDECIDED}")


def _judge(accept_all: bool, verdicts: Path | None) -> Judge:
    from vlnscope.evaluate.language import grammar_construction as construction

    if accept_all and verdicts is not None:
        raise InputError(
            "--accept-all and --verdicts say different things", expected="one of them", fix="drop one"
        )
    if accept_all:
        return construction.accept_all
    if verdicts is not None:
        return construction.judge_by(construction.read_decisions(verdicts))
    return _ask if sys.stdin.isatty() else construction.judge_by({})


def _ask(proposal: Proposal) -> bool | None:
    about = f"unlocks {proposal.unlocks}, {proposal.words} words; e.g. {', '.join(proposal.examples[:3])}"
    answer = typer.prompt(f"{proposal.production}   [{about}]   y/n/later", default="later")
    return {"y": True, "n": False}.get(answer[:1].lower())


def _proposer(url: str | None, model: str | None) -> Proposer:
    from vlnscope.evaluate.language.grammar_model import ModelProposer
    from vlnscope.language.induce.proposals import propose

    if url is None and model is None:
        return propose
    if url is None or model is None:
        raise InputError(
            "a model needs an address and a name", expected="--url and --model", fix="give both or neither"
        )
    return ModelProposer(url, model, key=os.environ.get(KEY))


def _print_round(each: ConstructionRound, check: str) -> None:
    taken = sum(verdict.accept is True for verdict in each.verdicts)
    head = (
        f"round {each.number}: {taken} of {len(each.verdicts)} proposals accepted" if each.number else "start"
    )
    output.show(f"{head}; {_shares(check, each.check.word_share, each.check.whole_share)}")


def _shares(data: str, words: float, whole: float) -> str:
    return f"{data}: {words:.2%} of the words consumed, {whole:.2%} of the instructions parsed in full"
