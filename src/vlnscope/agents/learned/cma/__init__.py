"""Recurrent agents of continuous environments: Seq2Seq, CMA and its kin, MAP-CMA; and RedNet."""

from vlnscope.agents.learned.cma.cma import Cma, PoolCma, PoolEndCma, TourCma
from vlnscope.agents.learned.cma.map_cma import MapCma
from vlnscope.agents.learned.cma.rednet import RedNet
from vlnscope.agents.learned.cma.seq2seq import Seq2SeqCe

__all__ = ["Cma", "MapCma", "PoolCma", "PoolEndCma", "RedNet", "Seq2SeqCe", "TourCma"]
