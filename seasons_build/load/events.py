"""Load: the events of PyYAML, and what it raises. Of its own readers nobody asks unless libyaml is missing."""

from seasons_build.core.regex import compiled_later

with compiled_later():
    from yaml.error import MarkedYAMLError
    from yaml.events import (
        AliasEvent,
        DocumentEndEvent,
        MappingEndEvent,
        MappingStartEvent,
        ScalarEvent,
        SequenceEndEvent,
        SequenceStartEvent,
        StreamEndEvent,
    )

__all__ = [
    "AliasEvent",
    "DocumentEndEvent",
    "MappingEndEvent",
    "MappingStartEvent",
    "MarkedYAMLError",
    "ScalarEvent",
    "SequenceEndEvent",
    "SequenceStartEvent",
    "StreamEndEvent",
]
