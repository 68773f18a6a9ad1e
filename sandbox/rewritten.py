"""Suites as pytest compiles them, kept for the next iterations: half the time of a larger suite goes into that.

A guest makes one before anything of its job ran, and hands it to its supervisor before it goes on. Here it is a text
that is never opened, only handed to later containers beside the same suite, and pytest takes it only for that very
source.
"""

import hashlib
import threading
from collections import OrderedDict

from sandbox.base import Job
from sandbox.protocol import GuestResult, Rewritten

ROOM_BYTES = 16 * 1024 * 1024

Key = tuple[str, str, str]


class RewrittenSuites:
    """The suites that were used last, in memory, in about `room` bytes. Usable from several threads at once."""

    def __init__(self, room: int = ROOM_BYTES) -> None:
        self._room = room
        self._kept: OrderedDict[Key, Rewritten] = OrderedDict()
        self._used = 0
        self._lock = threading.Lock()

    def find(self, job: Job, image: str) -> Rewritten | None:
        """The compiled suite of `job` for containers of `image`, whose digest names Python and pytest."""
        key = _key(job, image)
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
            return self._kept.get(key)

    def keep(self, job: Job, image: str, result: GuestResult) -> None:
        """Keep what a guest returned, if it returned one."""
        if not result.rewritten:
            return
        with self._lock:
            if _key(job, image) in self._kept:  # two threads had it made at once
                return
            self._kept[_key(job, image)] = Rewritten(result.rewritten_file, result.rewritten)
            self._used += len(result.rewritten)
            while self._used > self._room:
                self._used -= len(self._kept.popitem(last=False)[1].pyc)


def _key(job: Job, image: str) -> Key:
    return image, job.suite_file, hashlib.sha256(job.tests.encode("utf-8", "replace")).hexdigest()
