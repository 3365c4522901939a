"""Writing, one token after another: by chance, greedily, in beams; from a text, or into another.

`models.writing` is what pages may call. `decoder` reads on and remembers, `sampling` chooses,
`spelling` makes text of tokens; `continuing` and `beams` go on with a text, `writing` is for
encoder-decoders.
"""
