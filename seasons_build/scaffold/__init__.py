"""Stage: files for a writer to begin with: an entry of a kind, a pack for a game, a project, a copy of an entry.

In: a library, or a few names. Out: files by their name below the project's folder. Nothing is written here, and whether a draft is sound
is for those to say who check it: an entry comes in several drafts, the fullest first.
"""

from seasons_build.scaffold.copying import copied
from seasons_build.scaffold.entry import Lacking, drafts, readable
from seasons_build.scaffold.starter import new_game, new_pack

__all__ = ["Lacking", "copied", "drafts", "new_game", "new_pack", "readable"]
