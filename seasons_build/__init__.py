"""A compiler for tabletop games: YAML in; checked rules, cards, statblocks and character sheets that print right out.

The stages, in order; each takes a value, changes nothing, and gives a value and diagnostics:

    sources -> load -> check -> link -> evaluate -> compose -> (render -> typeset -> proof) -> impose/finish/raster -> publish

Layers: core < language < stages < pipeline < cli. Imports go down only, and stages do not import each other.
"""

__version__ = "0.1.0"
