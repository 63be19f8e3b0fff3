"""Instructions: what they mean, and how to write, read and follow them.

========================  ==========================================================================
`actions`                 what an instruction asks for: atomic actions with places and directions
`geometry`                what “left”, “around”, “past” and “behind” mean
`lexicon`                 words: names, synonyms, plurals, spelling
`names`                   how objects and rooms are said: plural, article, “onto the porch”; look-alikes
`parse`                   text → actions, by a grammar (``parse/grammar.lark``)
`ground`                  actions and what can be seen → scores over the next steps
`describe`                a path in a scene → an instruction that is true and leads to its goal alone
`induce`                  finds what the grammar does not cover, and proposes productions for it
`alignment`               which words belong to which steps of a path
========================  ==========================================================================
"""
