"""A command that is killed at any instant is resumed by a new process, and ends as one that nobody killed."""

import json
import os
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import docker
import pytest

from sandbox.owner import OWNER_LABEL, RUN_LABEL
from tests.chat_server import Answer, ChatServer
from tests.forks import Forks, Kill
from tests.postgres import binaries
from tests.src.cli.conftest import ARCHITECT, PATCH, REVIEW, WRONG

KEY = "sk-a-key-that-no-database-may-hold"
REQUEST = "Write answer() -> int, the answer to everything."
REPLIES = {"architect": [ARCHITECT], "reader": ["?"], "developer": [WRONG], "debugger": [PATCH], "reviewer": [REVIEW]}


class Killer(ChatServer):
    """A model server that can kill who asks it, in the middle of a call."""

    def __init__(self) -> None:
        super().__init__(REPLIES)
        self.victim: Callable[[], int] | None = None
        self.role = ""

    def next_reply(self, role: str) -> Answer:
        if self.victim and role == self.role:
            os.kill(self.victim(), signal.SIGKILL)
            self.victim = None
        return super().next_reply(role)


@pytest.fixture
def server() -> Iterator[Killer]:
    with Killer() as running:
        yield running
        running.shutdown()


class Case:
    """Runs of one kind: how they are started and resumed, and what the one that nobody kills comes to."""

    def __init__(self, forks: Forks, server: Killer, folder: Path, **settings: str) -> None:
        self._forks, self.server, self._folder = forks, server, folder
        kept = {name: os.environ[name] for name in ("PATH", "HOME", "DOCKER_HOST") if name in os.environ}
        chosen = {"SANDBOX_BACKEND": "scripted", "MIN_TESTS": "1", "MAX_CORRECTIONS": "0", "OPENAI_API_KEY": KEY}
        self.environment = kept | server.environment(**chosen) | settings
        assert self.start("whole") == 0, self.said("whole")
        self.asked = Counter(server.asked)
        self.whole = self.artefacts("whole")
        self.writes = int((folder / "whole" / "count").read_text())

    def start(self, name: str, kill: Kill | None = None) -> int:
        self.server.asked.clear()
        return self._forks(self._folder / name, self.environment, self._words(name), kill)

    def begin(self, name: str, role: str) -> int:
        """Start a run that the server kills when it is asked by `role`."""
        self.server.asked.clear()
        self.server.role = role
        pid = self._forks.start(self._folder / name, self.environment, self._words(name))
        self.server.victim = lambda: pid
        return self._forks.ended(pid)

    def begin_and_kill(self, name: str, now: Callable[[str], bool]) -> int:
        """Start a run and kill it as soon as `now`, told what it has printed, says so; gives its process."""
        self.server.asked.clear()
        pid = self._forks.start(self._folder / name, self.environment, self._words(name))
        while not now(self.printed(name)):
            assert "VERIFIED" not in self.printed(name), "the moment did not come"
            time.sleep(0.02)  # the look at the engine must not take the machine from it
        os.kill(pid, signal.SIGKILL)
        assert self._forks.ended(pid) == -signal.SIGKILL
        return pid

    def resume(self, name: str, kill: Kill | None = None) -> int:
        """Go on; where nothing was saved yet, the same name is free to be started anew."""
        code = self._forks(self._folder / name, self.environment, ["resume", name], kill)
        return self._forks(self._folder / name, self.environment, self._words(name), kill) if code == 2 else code

    def said(self, name: str) -> str:
        return (self._folder / name / "stderr").read_text()

    def printed(self, name: str) -> str:
        path = self._folder / name / "stdout"
        return path.read_text() if path.exists() else ""

    def artefacts(self, name: str) -> Mapping[str, object]:
        """What was delivered; of the report what does not depend on times, names and attempts."""
        out = self._folder / name / "out"
        files: dict[str, object] = {
            path.name: path.read_bytes() for path in out.iterdir() if path.suffix in (".py", ".md")
        }
        report = json.loads((out / "report.json").read_text())
        told = ("verdict", "reason", "iterations", "debug_history", "rejections", "disputes", "review_summary")
        return files | {key: report[key] for key in told}

    def check(self, name: str, twice: int = 0) -> None:
        """The run came to the same, no answered call was made again but `twice`, and each request is in the report."""
        assert self.artefacts(name) == self.whole
        again = self.server.asked - self.asked
        assert self.server.asked >= self.asked
        assert again.total() <= twice, again
        report = json.loads((self._folder / name / "out" / "report.json").read_text())
        assert report["usage"]["total"]["calls"] >= self.server.asked.total()

    def _words(self, name: str) -> list[str]:
        return ["--prompt", REQUEST, "--thread", name, "--out", "out"]


def test_killed_before_one_of_its_writes_a_run_ends_as_if_nobody_had(
    forks: Forks, server: Killer, tmp_path: Path
) -> None:
    """Every boundary of a node, and of a step inside its box, is a write; a kill between two is one before the next."""
    case = Case(forks, server, tmp_path)
    repeated = 0
    for number in (*range(1, 7), *range(7, case.writes + 1, 3)):
        name = f"r{number}"
        assert case.start(name, Kill("write", number)) == -signal.SIGKILL
        assert case.resume(name) == 0, case.said(name)
        case.check(name, twice=1)
        repeated += (case.server.asked - case.asked).total()
    assert 0 < repeated <= case.asked.total(), "a reply is lost only where the kill came before it was written down"
    kept = b"".join(path.read_bytes() for path in tmp_path.rglob("*.sqlite*") if path.is_file())
    assert REQUEST[:20].encode() in kept
    assert KEY.encode() not in kept


def test_killed_while_a_model_answers_it_asks_that_one_again(forks: Forks, server: Killer, tmp_path: Path) -> None:
    case = Case(forks, server, tmp_path)
    for role in case.asked:
        assert case.begin(role, role) == -signal.SIGKILL
        assert case.resume(role, Kill("write", 4)) == -signal.SIGKILL
        assert case.resume(role) == 0, case.said(role)
        case.check(role, twice=2)


def test_killed_in_postgres_a_run_ends_as_if_nobody_had(
    forks: Forks, server: Killer, tmp_path: Path, postgres: str
) -> None:
    case = Case(forks, server, tmp_path, RUNS_URL=postgres)
    for number in range(3, case.writes, 12):
        name = f"r{number}"
        assert case.start(name, Kill("write", number, after=number % 2 == 0)) == -signal.SIGKILL
        assert case.resume(name) == 0, case.said(name)
        case.check(name, twice=1)
    programs = binaries()
    assert programs
    dump = subprocess.run(
        [programs / "pg_dump", postgres.replace("team@", "team@", 1)], capture_output=True, check=True
    )
    assert REQUEST[:20].encode() in dump.stdout
    assert KEY.encode() not in dump.stdout


def test_killed_while_several_developers_write_a_run_ends_as_if_nobody_had(
    forks: Forks, server: Killer, tmp_path: Path
) -> None:
    case = Case(forks, server, tmp_path, DEVELOPERS="3")
    for number in range(case.writes // 2 + 3, case.writes * 2 // 3, 7):  # of about 80 writes the middle is theirs
        name = f"r{number}"
        assert case.start(name, Kill("write", number)) == -signal.SIGKILL
        assert case.resume(name) == 0, case.said(name)
        case.check(name, twice=3)


@pytest.mark.parametrize("number", [3, 9])
def test_killed_while_a_suite_runs_it_ends_as_if_nobody_had(
    forks: Forks, server: Killer, tmp_path: Path, number: int
) -> None:
    case = Case(forks, server, tmp_path, SANDBOX_BACKEND="subprocess")
    assert case.start("r", Kill("process", number, after=True)) == -signal.SIGKILL
    assert case.resume("r") == 0, case.said("r")
    case.check("r")


@pytest.mark.docker
@pytest.mark.usefixtures("container")
@pytest.mark.parametrize("mark", ["architect started", "test_runner started"])
def test_killed_while_a_container_runs_it_ends_as_if_nobody_had_and_leaves_none(
    forks: Forks, server: Killer, tmp_path: Path, mark: str
) -> None:
    slow = ARCHITECT.replace("def test_answer():", "def test_answer():\n    time.sleep(0.5)")
    server.replies["architect"] = [slow.replace("import pytest", "import time\nimport pytest")]
    case = Case(forks, server, tmp_path, SANDBOX_BACKEND="docker", SANDBOX_POOL="0")
    with closing(docker.from_env()) as client:
        pid = case.begin_and_kill("r", lambda said: mark in said and bool(of_run(client, "r")))
        assert case.resume("r") == 0, case.said("r")
        case.check("r", twice=1)
        owners = [made.labels[OWNER_LABEL] for made in client.containers.list(all=True, filters={"label": OWNER_LABEL})]
        assert not [owner for owner in owners if f".{pid}." in owner]
        assert not of_run(client, "r")


def of_run(client: docker.DockerClient, run_id: str) -> list[Any]:
    """Containers that work for a run."""
    return list(client.containers.list(all=True, filters={"label": f"{RUN_LABEL}={run_id}"}))
