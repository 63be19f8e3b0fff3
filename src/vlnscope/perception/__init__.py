"""What agents see: the layers of a scene and the files beside it, shown viewpoint by viewpoint.

`sight` is the contract: a `SightKind` shows one kind of thing, and an agent names it in its ``needs``. The
package `sights` holds the built-in kinds, `features` the numbers that learned agents see.
"""
