"""Recurrent agents of continuous environments: Seq2Seq, CMA, what remembers tours like it, and MAP-CMA."""

from vlnscope.agents.learned.cma.cma import Cma, PoolCma, PoolEndCma, TourCma
from vlnscope.agents.learned.cma.map_cma import MapCma
from vlnscope.agents.learned.cma.seq2seq import Seq2SeqCe

__all__ = ["Cma", "MapCma", "PoolCma", "PoolEndCma", "Seq2SeqCe", "TourCma"]
