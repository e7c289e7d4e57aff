"""The order of the stages, written once; nothing else imports a stage.

    sources -> load -> check -> link -> evaluate -> compose -> (render -> typeset -> proof) -> impose/finish/raster -> publish

`read` runs the stages that need no template: what `check`, `list`, `show` and `explain` ask for. `pipeline.build` runs the rest, and
`pipeline.machine` looks at this machine; neither is imported before it is needed.
"""

from seasons_build.pipeline.read import Project, read, read_sources, select, try_games

__all__ = ["Project", "read", "read_sources", "select", "try_games"]
