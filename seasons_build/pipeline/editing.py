"""Schemas for editors, written where they find them. In: a project. Out: the files that were written, and what there is to say."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any

from seasons_build.core.diagnostic import Diagnostic
from seasons_build.core.files import read_inside
from seasons_build.editor import content_schema, manifest_schema, mapping
from seasons_build.pipeline.author import Made
from seasons_build.pipeline.read import Project
from seasons_build.save import save

FOLDER = ".vscode/seasons"
SETTINGS = ".vscode/settings.json"
KEY = "yaml.schemas"
_MOST = 4 << 20
"""Bytes of settings that are read."""


def write_schemas(project: Project) -> Made:
    """The schema of each of the project's packs, and the settings that say which files it is for.

    Codes: E761 (a file cannot be written), N760 (settings that cannot be read are left as they are).
    """
    library = project.library
    packs = [pack.id for pack in library.packs.values() if pack.own]
    core = {name.rpartition("/")[2].removesuffix(".json"): name for name in project.sources.core_schemas}
    blocks = {block: json.loads(project.sources.read(name)) for block, name in core.items()}
    made: dict[str, Any] = {f"{FOLDER}/{pack}.json": content_schema(library, pack, blocks) for pack in packs}
    made[f"{FOLDER}/pack.json"] = manifest_schema(library, blocks)
    files = {name: (json.dumps(schema, ensure_ascii=False, separators=(",", ":")) + "\n").encode() for name, schema in made.items()}
    wanted = mapping(packs, FOLDER)
    settings, found = _settings(project, wanted)
    files |= settings
    refused = save(project.root, files, new=False)
    return Made(project.root, () if refused else tuple(sorted(files)), (*found, *refused))


def _settings(project: Project, wanted: Mapping[str, Any]) -> tuple[dict[str, bytes], tuple[Diagnostic, ...]]:
    """The settings with the mapping in them, and all else as it was."""
    try:
        there = json.loads(read_inside(project.root, SETTINGS, _MOST)) if os.path.lexists(project.root / SETTINGS) else {}
        kept = {name: globs for name, globs in there.get(KEY, {}).items() if not name.startswith(f"./{FOLDER}/")}
        raw = f"{json.dumps({**there, KEY: {**kept, **wanted}}, ensure_ascii=False, indent=2)}\n".encode()
    except (OSError, ValueError, AttributeError, RecursionError):
        lines = json.dumps({KEY: wanted})[1:-1]
        message = f"`{SETTINGS}` cannot be read as plain JSON, and is left as it is"
        return {}, (Diagnostic("N760", message, None, (f"add these lines: {lines}",)),)
    return {SETTINGS: raw}, ()
