"""What runs by the command line need: a scripted sandbox, transcripts, settings that no machine influences."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from sandbox import Job, Progress, TestReport
from sandbox.fake import FakeSandbox, failing_report, passing_report
from src.cli.console import console_on
from src.cli.execute import Workshop
from src.cli.plain import PlainView
from src.config import Settings, load_settings
from tests.forks import Forks, copy_project

ROOT = Path(__file__).parents[3]

ARCHITECT = """\
### SPECIFICATIONS

`answer()` returns 42.

### TESTS

```python
import pytest
from solution import answer

@pytest.mark.property("the answer to everything is known to be 42")
def test_answer():
    assert answer() == 42
```
"""
WRONG = "```python\ndef answer():\n    return 41\n```\n"
RIGHT = "```python\ndef answer():\n    return 42\n```\n"
PATCH = f"### DIAGNOSIS\n\nThe answer was one too low.\n\n### PATCHED_CODE\n\n{RIGHT}"
NO_PATCH = f"### DIAGNOSIS\n\nPerhaps it is the tests.\n\n### PATCHED_CODE\n\n{WRONG.replace('41', '43')}"
REVIEW = "It answers as it should."

GREEN = [("architect", ARCHITECT), ("developer", RIGHT), ("reviewer", REVIEW)]
HEALED = [("architect", ARCHITECT), ("developer", WRONG), ("debugger", PATCH), ("reviewer", REVIEW)]
NEVER = [("architect", ARCHITECT), ("developer", WRONG), ("debugger", NO_PATCH), ("reviewer", REVIEW)]


def judge(job: Job) -> TestReport:
    """Green when the module returns 42."""
    return passing_report() if "42" in job.code else failing_report(message="assert 41 == 42")


class ScriptedSandbox(FakeSandbox):
    """Judges by `judge`, but for faults that happen while it is made ready or while it runs."""

    def __init__(self, *, at_prepare: BaseException | None = None, at_run: BaseException | None = None) -> None:
        super().__init__(self._judge, series=judge)
        self._at_prepare = at_prepare
        self._at_run = at_run

    def prepare(self, progress: Progress) -> None:
        super().prepare(progress)
        if self._at_prepare:
            raise self._at_prepare

    def _judge(self, job: Job) -> TestReport:
        if self._at_run:
            raise self._at_run
        return judge(job)


SCRIPTED = f"{ScriptedSandbox.__module__}:{ScriptedSandbox.__name__}"
"""Where it is found as a backend."""


@pytest.fixture(autouse=True)
def _no_foreign_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys and settings of whoever runs the tests are out of reach."""
    for name in list(os.environ):
        if name.endswith(("_API_KEY", "_BASE_URL", "_MODEL", "_LEVEL")) or name.startswith(
            ("SANDBOX_", "MAX_", "MIN_", "RUNS_", "APPROVE", "DEVELOPERS")
        ):
            monkeypatch.delenv(name)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return load_settings(tmp_path, runs_path=tmp_path / "runs.sqlite", min_tests=1, second_reading=False)


def write_transcript(path: Path, replies: Sequence[tuple[str, Any]], **header: Any) -> Path:
    """A scripted transcript; a reply that is a dict is an entry as it stands."""
    head = {"transcript": 1, "kind": "scripted", "title": "the answer", "request": "Answer."} | header
    lines = [head]
    for role, reply in replies:
        given = reply if isinstance(reply, dict) else {"reply": reply, "finish_reason": "stop"}
        lines.append({"role": role, "model": "by hand"} | given)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


@pytest.fixture
def transcript(tmp_path: Path) -> Callable[..., Path]:
    """`transcript([("architect", "…"), …])`: a scripted transcript."""

    def write(replies: Sequence[tuple[str, Any]], name: str = "script.jsonl", **header: Any) -> Path:
        return write_transcript(tmp_path / name, replies, **header)

    return write


@dataclass
class Bench:
    """A workshop with a scripted sandbox, and what it showed."""

    settings: Settings
    sandbox: ScriptedSandbox = field(default_factory=ScriptedSandbox)
    output: StringIO = field(default_factory=StringIO)

    @property
    def workshop(self) -> Workshop:
        return Workshop(self.settings, PlainView(console_on(self.output)), lambda _settings: self.sandbox)


@pytest.fixture
def bench(settings: Settings) -> Bench:
    return Bench(settings)


@dataclass(frozen=True)
class Command:
    """The real command in a folder of its own, where no key and no earlier run is in reach."""

    project: Path
    """The folder that it is called in."""
    forks: Forks
    """What begins it."""

    def environment(self, **extra: str) -> dict[str, str]:
        """What a shell has, and a sandbox that judges by `judge`."""
        kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG", "TMPDIR") if name in os.environ}
        return kept | {"SANDBOX_BACKEND": "scripted", "COLUMNS": "100", "MIN_TESTS": "1"} | extra

    def __call__(self, *words: str, stdin: bytes = b"", **extra: str) -> subprocess.CompletedProcess[str]:
        """Carry it out in a process that is forked from one that has loaded Python's libraries."""
        (self.project / "stdin").write_bytes(stdin)
        code = self.forks(self.project, self.environment(**extra), words, stdin="stdin")
        out, err = ((self.project / name).read_bytes().decode("utf-8") for name in ("stdout", "stderr"))
        return subprocess.CompletedProcess(words, code, out, err)


@pytest.fixture
def command(tmp_path: Path, forks: Forks) -> Command:
    (project := tmp_path / "project").mkdir()
    return Command(project, forks)


@dataclass(frozen=True)
class Program:
    """The real command from its first instruction to its last, in a copy of the project.

    For what lies before or after its work: a fault while it is loaded, the streams that Python makes and closes.
    Anything else is asked of `command`, which need not load everything anew.
    """

    project: Path
    """The copy, where it is called."""

    def __call__(self, *words: str, stdout: int | None = subprocess.PIPE, **extra: str) -> subprocess.Popen[str]:
        """Begin it."""
        kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG", "TMPDIR") if name in os.environ}
        path = os.pathsep.join([str(self.project), str(ROOT)])
        return subprocess.Popen(
            [sys.executable, "-m", "src.main", *words],
            cwd=self.project,
            env=kept | {"PYTHONPATH": path, "SANDBOX_BACKEND": "scripted", "MIN_TESTS": "1"} | extra,
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            stderr=subprocess.PIPE,
            text=True,
        )


@pytest.fixture
def program(tmp_path: Path) -> Iterator[Program]:
    project = copy_project(tmp_path / "copy")
    with (project / "sandbox" / "backends.py").open("a") as source:
        source.write(f"\n\nBACKENDS['scripted'] = {SCRIPTED!r}\n")
    yield Program(project)
    shutil.rmtree(project)
