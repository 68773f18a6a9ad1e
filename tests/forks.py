"""Runs the real command many times without loading Python's libraries again: each in a process forked from one that
has loaded them. It may be told when to kill itself."""

import json
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

ROOT = Path(__file__).parent.parent


def copy_project(target: Path) -> Path:
    """The project without what lies beside it on the machine of a developer: keys, and runs of before."""
    for folder in ("src", "sandbox", "prompts", "transcripts"):
        shutil.copytree(ROOT / folder, target / folder)
    for file in (".env", "Dockerfile.sandbox"):
        shutil.copy(ROOT / file, target / file)
    return target


@dataclass(frozen=True)
class Kill:
    """The moment at which a command kills itself, as nobody else could."""

    place: Literal["write", "step", "answer", "sandbox"] = "write"
    """`write`: anything is written to the database. `step`: a step of the team is, which ends one of its nodes.
    `answer`: a model's reply is. `sandbox`: a suite is run by a sandbox that is told what to say."""
    number: int = 1
    """Which one; counted from 1."""
    after: bool = False
    """Once it is done, else before it is begun."""
    stride: int = 1
    """How much further a run comes from one kill to the next."""


class Forks:
    """The process that has loaded everything, from a copy of the project."""

    def __init__(self, project: Path) -> None:
        self._lock = threading.Lock()
        self._server = subprocess.Popen(
            [sys.executable, "-m", "tests.fork_server"],
            cwd=project,
            env={**os.environ, "PYTHONPATH": os.pathsep.join([str(project), str(ROOT)])},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def start(
        self,
        folder: Path,
        environment: Mapping[str, str],
        words: Sequence[str],
        kill: Kill | None = None,
        *,
        stdin: str = os.devnull,
        terminal: str = "",
    ) -> int:
        """Begin a command in a folder, where it writes to `stdout` and `stderr`; gives its process.

        `stdin`: the file that it reads. `terminal`: one that it has for all three, and as its own.
        """
        folder.mkdir(parents=True, exist_ok=True)
        order = {"folder": str(folder), "environment": dict(environment), "words": list(words)}
        streams = {"input": stdin, "terminal": terminal}
        return self._told({**order, **streams, "kill": vars(kill) if kill else None})

    def ended(self, pid: int) -> int:
        """Wait for the end of a process; gives its exit code, negative for the signal that killed it."""
        return self._told({"ended": pid})

    def __call__(
        self, folder: Path, environment: Mapping[str, str], words: Sequence[str], kill: Kill | None = None, **more: str
    ) -> int:
        """Carry out a command; gives its exit code, negative for the signal that killed it."""
        return self.ended(self.start(folder, environment, words, kill, **more))

    def close(self) -> None:
        """End it."""
        self._server.communicate(timeout=60)

    def _told(self, order: Mapping[str, Any]) -> int:
        assert self._server.stdin is not None
        assert self._server.stdout is not None
        with self._lock:
            self._server.stdin.write(json.dumps(order) + "\n")
            self._server.stdin.flush()
            line = self._server.stdout.readline()
        assert line, "the process that forks has died"
        return int(line)
