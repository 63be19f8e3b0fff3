"""VLN↻BERT, the recurrent BERT, in both its layouts."""

from vlnscope.agents.learned.recurrent_bert.vlnbert import VlnBert

__all__ = ["VlnBert"]
