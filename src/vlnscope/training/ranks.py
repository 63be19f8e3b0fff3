"""Several processes that learn together (torch.distributed with gloo): each takes part of every batch.

Losses are divided by the size of the whole batch, so the sum of all gradients is that of one process, but for
dropout, which each process draws for itself.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from multiprocessing import active_children
from pathlib import Path
from typing import Any

import torch
import torch.distributed.nn.functional  # later, its default arguments would hold the group; see `_rank`
from torch import Tensor, distributed, nn
from torch.multiprocessing.spawn import ProcessException, spawn

from vlnscope.core.exceptions import InputError, VlnscopeError


@dataclass(frozen=True)
class Ranks:
    """Which of how many processes this is."""

    rank: int = 0
    count: int = 1

    @property
    def leads(self) -> bool:
        """Whether this process writes files."""
        return self.rank == 0

    def part(self, rows: Tensor) -> Tensor:
        """Return the rows that this process works on."""
        return rows[self.rank :: self.count]

    def sum(self, tensors: Iterable[Tensor]) -> None:
        """Add up tensors over all processes, in place."""
        if self.count == 1:
            return
        parts = list(tensors)
        flat = torch.cat([tensor.detach().reshape(-1).cpu().double() for tensor in parts])
        distributed.all_reduce(flat)
        begin = 0
        for tensor in parts:
            tensor.detach().copy_(flat[begin : begin + tensor.numel()].view_as(tensor))
            begin += tensor.numel()

    def sum_gradients(self, model: nn.Module, loss: Tensor) -> None:
        """Add up the gradients and the loss over all processes, in place."""
        if self.count > 1:
            self._fill_gradients(model)
        self.sum([loss, *(p.grad for p in model.parameters() if p.grad is not None)])

    def _fill_gradients(self, model: nn.Module) -> None:
        """Make gradients of zeros where only other processes have some, so that all add up the same."""
        weights = list(model.parameters())
        there = torch.tensor([int(weight.grad is not None) for weight in weights])
        distributed.all_reduce(there, op=distributed.ReduceOp.MAX)
        for weight, needed in zip(weights, there.tolist(), strict=True):
            if needed and weight.grad is None:
                weight.grad = torch.zeros_like(weight)


def with_ranks(count: int, work: Callable[..., Any], *arguments: Any) -> None:
    """Call ``work(ranks, *arguments)`` in so many processes, which share the cores; all must succeed.

    Raises:
        VlnscopeError: that of a process that failed.
    """
    if count == 1:
        work(Ranks(), *arguments)
        return
    with tempfile.TemporaryDirectory() as folder:
        meeting, failure = Path(folder) / "meeting", Path(folder) / "failure"
        try:
            spawn(_rank, (count, meeting, failure, work, arguments), nprocs=count)  # type: ignore[no-untyped-call]
        except ProcessException:
            if failure.is_file():
                raise _told(failure) from None
            raise
        finally:  # a signal to this process alone leaves the others at work, and Python would wait for them
            for process in active_children():
                process.kill()
                process.join()


def _rank(
    rank: int, count: int, meeting: Path, failure: Path, work: Callable[..., Any], arguments: tuple[Any, ...]
) -> None:
    torch.set_num_threads(max(1, (os.cpu_count() or 1) // count))
    distributed.init_process_group("gloo", init_method=f"file://{meeting}", rank=rank, world_size=count)
    try:
        work(Ranks(rank, count), *arguments)
    except VlnscopeError as error:
        parts = "\0".join((error.what, error.expected, error.fix))
        failure.write_text(parts, encoding="utf-8")
        raise
    finally:
        # Joins the threads of the group if nothing else holds it. One that is still letting go of a tensor
        # when the interpreter ends would abort the process.
        distributed.destroy_process_group()


def _told(failure: Path) -> InputError:
    what, expected, fix = failure.read_text(encoding="utf-8").split("\0")
    return InputError(what, expected=expected, fix=fix)
