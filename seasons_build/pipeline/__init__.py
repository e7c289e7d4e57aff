"""The order of the stages, written once; nothing else imports a stage.

    sources -> load -> check -> link -> evaluate -> compose -> (render -> typeset -> proof) -> impose/finish/raster -> publish

`read` runs the stages that need no template: what `check`, `list`, `show` and `explain` ask for. `build` runs the rest.
"""

from seasons_build.pipeline.build import Built, Options, build
from seasons_build.pipeline.read import Project, read, read_sources, select

__all__ = ["Built", "Options", "Project", "build", "read", "read_sources", "select"]
