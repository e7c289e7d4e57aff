"""Stage: finished files as a shop wants them: the inks of a press, and whether a written file is what its profile says.

In: the bytes of files and a profile. Out: bytes, or what is not as it should be, by name.
"""

from seasons_build.finish.apart import verify_apart
from seasons_build.finish.inks import in_process_inks
from seasons_build.finish.verify import verify

__all__ = ["in_process_inks", "verify", "verify_apart"]
