"""A command that is killed at any instant is resumed by a new process, and ends as one that nobody killed."""

import json
import os
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import docker
import pytest

from sandbox.owner import OWNER_LABEL, RUN_LABEL
from sandbox.prereqs import Engine
from src.runs import Address
from tests import course
from tests.chat_server import ChatServer
from tests.forks import Forks, Kill
from tests.postgres import binaries
from tests.sandbox.test_kill import settled
from tests.src.cli.conftest import ARCHITECT, HEALED, Command, write_transcript
from tests.src.cli.test_decide import Terminal

KEY = "sk-a-key-that-no-database-may-hold"
MOST = 200
"""Processes that a run may take, however often it is killed: more would mean that it does not come on."""


class Server(ChatServer):
    """Models that answer for the course, and can kill who asks them, in the middle of each call."""

    def __init__(self) -> None:
        super().__init__({})
        self.victim: Callable[[], int] | None = None
        self.killed_at: set[str] = set()

    def reply_to(self, asked: Mapping[str, Any]) -> str:
        role, told = asked["model"], asked["messages"][-1]["content"]
        if self.victim and role + told not in self.killed_at:
            self.killed_at.add(role + told)
            os.kill(self.victim(), signal.SIGKILL)
        else:
            self.asked[role] += 1
        return course.reply(role, told)


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as running:
        yield running
        running.shutdown()


class Runs:
    """Runs of the course: how they are carried through, and what the one that nobody kills comes to."""

    numbers = count()

    def __init__(
        self, forks: Forks, server: Server, folder: Path, options: Sequence[str] = course.OPTIONS, **settings: str
    ) -> None:
        self._forks, self.server, self.folder, self._options = forks, server, folder, options
        chosen = {"SANDBOX_BACKEND": "course", "MIN_TESTS": "1", "OPENAI_API_KEY": KEY}
        self.environment = {"PATH": os.environ["PATH"], **server.environment(**chosen), **settings}
        whole, ended = self.carried()
        assert ended == ([3, 3, 3, 0] if options else [0]), "a person is asked three times, or never"
        self.asked = Counter(server.asked)
        self.whole = artefacts(folder / whole / "out")

    def carried(self, kill: Kill | None = None) -> tuple[str, list[int]]:
        """Begin a run and go on with it as long as it takes, each process killed; its name, and how each ended.

        What the one before was killed at is done again, and the next is killed further on.
        """
        name = f"run-{os.getpid()}-{next(self.numbers)}"
        self.server.asked.clear()
        ended = [self.process(name, self.words(name), kill)]
        while ended[-1] != 0:
            assert len(ended) < MOST
            kill = further(kill, ended[-1]) if kill else None
            ended.append(self.process(name, self.goes_on(name, ended[-1]), kill))
        return name, ended

    def process(self, name: str, words: list[str], kill: Kill | None = None) -> int:
        """Carry out a command; how it ended."""
        pid = self._forks.start(self.folder / name, self.environment, words, kill)
        if self.server.victim:
            self.server.victim = lambda: pid
        return self._forks.ended(pid)

    def words(self, name: str) -> list[str]:
        """What begins a run."""
        return ["--prompt", course.REQUEST, "--thread", name, "--out", "out", *self._options]

    def goes_on(self, name: str, ended: int) -> list[str]:
        """What a person goes on with; where nothing was saved yet, the name is free to be started anew."""
        told = (self.folder / name / "stderr").read_text()
        if ended == 2:
            assert "no run called" in told or "before anything of it was saved" in told, told
            return self.words(name)
        assert ended in (3, -signal.SIGKILL), told
        answer = ["--decision", "approve"] if "--decision" in told else ["--answer", course.ANSWER]
        return ["resume", name, *(answer if ended == 3 else [])]

    def check(self, name: str, in_flight: int = 0) -> None:
        """The run came to the same, each request is in its report, and no call was made again but those whose reply a
        kill took before it was written down. `in_flight`: how many others may have been on their way then."""
        assert artefacts(self.folder / name / "out") == self.whole
        lost = self.folder / name / "lost"
        asked = self.server.asked
        again = asked.total() - self.asked.total() - (len(lost.read_text()) if lost.exists() else 0)
        assert 0 <= again <= in_flight
        assert set(asked) == set(self.asked)
        report = json.loads((self.folder / name / "out" / "report.json").read_text())
        assert report["usage"]["total"]["calls"] >= asked.total()


def further(kill: Kill, ended: int) -> Kill:
    """What the next process is killed at. `ended`: how the one before it did."""
    if ended == 2:  # it starts anew, with all that had been done
        number = kill.number + 1
    elif kill.place == "sandbox":  # a node may have several suites run, and all of them again
        number = kill.number + 1 if ended < 0 else 1
    elif kill.place == "answer":
        number = 2 if ended < 0 else 1
    else:
        number = 1 if kill.after else 1 + kill.stride
    return replace(kill, number=number)


def artefacts(out: Path) -> Mapping[str, object]:
    """What was delivered; of the report what does not depend on times, names and attempts."""
    files: dict[str, object] = {path.name: path.read_bytes() for path in out.iterdir() if path.suffix in (".py", ".md")}
    report = json.loads((out / "report.json").read_text())
    told = ("verdict", "reason", "iterations", "debug_history", "rejections", "disputes", "assumptions", "audit")
    for line in report["audit"]:
        del line["when"]
    return files | {key: report[key] for key in (*told, "review_summary")}


@pytest.fixture(params=["sqlite", "postgres"])
def runs(request: pytest.FixtureRequest, forks: Forks, server: Server, tmp_path: Path) -> Runs:
    """Runs in a database of each kind."""
    url = {"RUNS_URL": request.getfixturevalue("postgres")} if request.param == "postgres" else {}
    return Runs(forks, server, tmp_path, **url)


def dump(runs: Runs) -> bytes:
    """All that is kept of runs."""
    if url := runs.environment.get("RUNS_URL"):
        programs = binaries()
        assert programs
        return subprocess.run([programs / "pg_dump", url], capture_output=True, check=True).stdout
    return b"".join(path.read_bytes() for path in runs.folder.rglob("*.sqlite*") if path.is_file())


def test_killed_wherever_it_may_be_a_run_ends_as_if_nobody_had(runs: Runs) -> None:
    """Each run is killed again and again: at writes wherever they stand, right before and right after each step of the
    team is written down, with each reply in hand, and while each suite runs."""
    at = [Kill("step"), Kill("step", after=True), Kill("answer"), Kill("sandbox"), Kill("write", stride=4)]
    for kill in at:
        name, ended = runs.carried(kill)
        assert ended.count(-signal.SIGKILL) >= (runs.asked.total() if kill.place == "answer" else 5), kill
        runs.check(name)
    kept = dump(runs)
    assert course.REQUEST[:20].encode() in kept
    assert KEY.encode() not in kept


def test_killed_while_a_model_answers_it_asks_that_one_again(forks: Forks, server: Server, tmp_path: Path) -> None:
    runs = Runs(forks, server, tmp_path)
    server.victim = lambda: 0
    name, ended = runs.carried()
    assert ended.count(-signal.SIGKILL) == len(server.killed_at) == runs.asked.total(), (
        "once in the middle of each call"
    )
    runs.check(name)


def test_killed_while_a_person_is_asked_it_asks_again(forks: Forks, server: Server, tmp_path: Path) -> None:
    """A process sits at a terminal and waits: about an open question, about a module, about disputed tests."""
    runs = Runs(forks, server, tmp_path)
    server.asked.clear()
    (folder := tmp_path / "run").mkdir()
    asked = (("Answer: ", course.ANSWER), ("Decision: ", "approve"), ("Decision: ", "approve"))
    for number, (prompt, _) in enumerate(asked):
        at = Terminal(Command(folder, forks), *(["resume", "run"] if number else runs.words("run")), **runs.environment)
        for before, answer in asked[number - 1 : number]:
            at.until(before)
            at.types(answer)
        at.until(prompt)
        os.kill(at.pid, signal.SIGKILL)
        assert at.ends() == -signal.SIGKILL
    at = Terminal(Command(folder, forks), "resume", "run", **runs.environment)
    at.until("Decision: ")
    at.types("approve")
    assert at.ends() == 0, at.screen
    runs.check("run")


def test_killed_while_several_developers_write_a_run_ends_as_if_nobody_had(
    forks: Forks, server: Server, tmp_path: Path
) -> None:
    runs = Runs(forks, server, tmp_path, options=(), DEVELOPERS="3")
    assert runs.asked["developer"] == 3
    name, ended = runs.carried(Kill("write", stride=5))
    runs.check(name, in_flight=2 * ended.count(-signal.SIGKILL))


@pytest.mark.docker
@pytest.mark.usefixtures("container")
def test_killed_while_a_container_runs_it_ends_as_if_nobody_had_and_leaves_none(forks: Forks, tmp_path: Path) -> None:
    """Killed twice: in the box of the architect, whose suite is vetted, and while a candidate is tested."""
    slow = ARCHITECT.replace("def test_answer():", "def test_answer():\n    time.sleep(0.5)")
    design = slow.replace("import pytest", "import time\nimport pytest")
    script = write_transcript(tmp_path / "script.jsonl", [("architect", design), *HEALED[1:]])
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "DOCKER_HOST") if name in os.environ}
    settings = {**kept, "SANDBOX_POOL": "0", "MIN_TESTS": "1"}
    words = ["--replay", str(script), "--thread", "run", "--out", "out", "--no-second-reading"]
    assert forks(tmp_path / "whole", {**settings, "SANDBOX_BACKEND": "scripted"}, words) == 0
    shown, pids = tmp_path / "run" / "stdout", []
    with closing(docker.from_env()) as client:
        for step, mark in ((words, "architect started"), (["resume", "run"], "test_runner started")):
            pids.append(forks.start(tmp_path / "run", settings, step))
            while not (mark in shown.read_text() and of_run(client, "run")):
                assert "VERIFIED" not in shown.read_text(), "the moment did not come"
                time.sleep(0.02)  # the look at the engine must not take the machine from it
            os.kill(pids[-1], signal.SIGKILL)
            assert forks.ended(pids[-1]) == -signal.SIGKILL
            settled(Engine(client, "the tests'"), {made.labels[OWNER_LABEL] for made in of_run(client, "run")})
        assert forks(tmp_path / "run", settings, ["resume", "run"]) == 0, shown.read_text()
        assert artefacts(tmp_path / "run" / "out") == artefacts(tmp_path / "whole" / "out")
        owners = [
            made.labels[OWNER_LABEL]
            for made in client.containers.list(all=True, filters={"label": OWNER_LABEL}, ignore_removed=True)
        ]
        assert not [owner for owner in owners for pid in pids if f".{pid}." in owner]
        assert not of_run(client, "run")


def of_run(client: docker.DockerClient, run_id: str) -> list[Any]:
    """Containers that work for a run."""
    return list(client.containers.list(all=True, filters={"label": f"{RUN_LABEL}={run_id}"}, ignore_removed=True))


def test_a_second_process_on_a_run_is_told_so_and_changes_nothing(runs: Runs) -> None:
    name = "held"
    assert runs.process(name, runs.words(name)) == 3
    path, url = runs.folder / name / ".selfheal" / "runs.sqlite", runs.environment.get("RUNS_URL")
    before = Counter(runs.server.asked)
    with Address(path, url).open() as database, database.held(name):
        for words in (["resume", name, "--answer", course.ANSWER], ["delete", name, "--yes"]):
            assert runs.process(name, words) == 2
            assert "Another process is at work on the run 'held'" in (runs.folder / name / "stderr").read_text()
        assert runs.process(name, runs.words(name)) == 2, "the name is taken, too"
    assert runs.server.asked == before
    assert runs.process(name, ["resume", name, "--answer", course.ANSWER]) == 3, "it waits at the next question"
