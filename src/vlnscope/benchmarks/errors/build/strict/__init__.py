"""Strict filters: what they let through stays grammatical and natural, and is wrong for the path.

`context` says what stands around a name, `selection` which names R2R's writers put there, `directions` which
words are directions to follow, `witnesses` what is to be seen, `likeness` what may be mistaken for it, and
`filters` asks them in order.
"""
