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


@pytest.fixture(autouse=True)
def _no_foreign_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys and settings of whoever runs the tests are out of reach."""
    for name in list(os.environ):
        if name.endswith(("_API_KEY", "_BASE_URL", "_MODEL", "_LEVEL")) or name.startswith(
            ("SANDBOX_", "MAX_", "MIN_", "RUNS_", "APPROVE")
        ):
            monkeypatch.delenv(name)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return load_settings(tmp_path, runs_path=tmp_path / "runs.sqlite", min_tests=1, second_reading=False)


@pytest.fixture
def transcript(tmp_path: Path) -> Callable[..., Path]:
    """`transcript([("architect", "…"), …])`: a scripted transcript; a reply that is a dict is an entry as it stands."""

    def write(replies: Sequence[tuple[str, Any]], name: str = "script.jsonl", **header: Any) -> Path:
        head = {"transcript": 1, "kind": "scripted", "title": "the answer", "request": "Answer."} | header
        lines = [head]
        for role, reply in replies:
            given = reply if isinstance(reply, dict) else {"reply": reply, "finish_reason": "stop"}
            lines.append({"role": role, "model": "by hand"} | given)
        path = tmp_path / name
        path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
        return path

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
    """The real command in a copy of the project, where no key and no earlier run is in reach."""

    project: Path

    def environment(self, **extra: str) -> dict[str, str]:
        kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG", "TMPDIR") if name in os.environ}
        return (
            kept
            | {"PYTHONPATH": str(self.project), "SANDBOX_BACKEND": "subprocess", "COLUMNS": "100", "MIN_TESTS": "1"}
            | extra
        )

    def line(self, *words: str) -> list[str]:
        return [sys.executable, "-m", "src.main", *words]

    def __call__(self, *words: str, stdin: bytes = b"", **extra: str) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            self.line(*words),
            cwd=self.project,
            env=self.environment(**extra),
            input=stdin,
            capture_output=True,
            timeout=120,
            check=False,
        )
        out, err = done.stdout.decode("utf-8"), done.stderr.decode("utf-8")
        return subprocess.CompletedProcess(done.args, done.returncode, out, err)


@pytest.fixture
def command(tmp_path: Path) -> Iterator[Command]:
    project = tmp_path / "project"
    for folder in ("src", "sandbox", "prompts", "transcripts"):
        shutil.copytree(ROOT / folder, project / folder)
    for file in (".env", "Dockerfile.sandbox"):
        if (ROOT / file).exists():
            shutil.copy(ROOT / file, project / file)
    yield Command(project)
    shutil.rmtree(project)
