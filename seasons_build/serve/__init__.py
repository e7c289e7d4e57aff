"""A page in the browser of this machine, and of nobody else: what is served, to whom, and how it hears of changes.

In: a function that answers a path, and news when there are any. Out: answers over HTTP on 127.0.0.1. Nothing is read from a path: whatever
is not in the hands of that function is not there. Nothing can be ordered, only looked at.
"""

from seasons_build.serve.http import Answer, Server
from seasons_build.serve.page import PAGE

__all__ = ["PAGE", "Answer", "Server"]
