"""Helpers of the sandbox's tests: jobs in one line, reports as an honest guest tells them, and a real engine."""

import gc
import json
import os
import warnings
from collections.abc import Callable, Iterator, Sequence

import pytest

from sandbox import EngineUnavailable, Job, Limits, Sandbox, TestReport
from sandbox.prereqs import Engine, find_engine
from sandbox.protocol import GuestResult, Secret
from sandbox.verdict import judge

collect_ignore_glob = ["hostile/*", "odd/*"]
"""Text to their runner, whatever they are called."""

Event = dict[str, object]
PATIENCE = 60.0
"""Seconds that a job may take where no test says otherwise: plenty, for a busy machine."""
SECRET = Secret(nonce="nonce-of-this-run")
NONCE = SECRET.nonce


class Told:
    """Builds the events of a guest and judges them."""

    secret = SECRET

    @staticmethod
    def collected(*tests: str) -> Event:
        """All tests, our own around those of the suite."""
        ids = [f"test_solution.py::{test}" for test in tests]
        return {"event": "collected", "ids": [SECRET.canary.passes, *ids, SECRET.canary.fails]}

    @staticmethod
    def start(test: str) -> Event:
        return {"event": "start", "id": _id(test)}

    @staticmethod
    def phase(test: str, phase: str, outcome: str = "passed", **fields: object) -> Event:
        told = {"event": "phase", "id": _id(test), "phase": phase, "outcome": outcome}
        return {**told, "expected_to_fail": False, "seconds": 0.25, **fields}

    def test(self, name: str, call: str = "passed", **fields: object) -> list[Event]:
        called = self.phase(name, "call", call, **fields)
        return [self.start(name), self.phase(name, "setup"), called, self.phase(name, "teardown")]

    def passing(self) -> list[Event]:
        """Our own test that must pass, as it must."""
        return self.test(SECRET.canary.passes)

    def failing(self) -> list[Event]:
        """Our own test that must fail, as it must."""
        return self.test(SECRET.canary.fails, "failed", message="".join(SECRET.canary.message))

    def begin(self, *tests: str) -> list[Event]:
        """The collection and our own test before the suite."""
        return [self.collected(*tests), *self.passing()]

    def close(self, status: int = 1) -> list[Event]:
        """Our own test after the suite and the end."""
        return [*self.failing(), *self.end(status)]

    def session(self, *events: Event, tests: Sequence[str] = ("test_a",)) -> list[Event]:
        """The whole session around `events`, which are all that happens to the suite's `tests`."""
        return [*self.begin(*tests), *events, *self.close()]

    @staticmethod
    def end(status: int = 1, nonce: str = NONCE) -> list[Event]:
        return [{"event": "finish", "status": status, "nonce": nonce}, {"event": "exit", "status": status}]

    @staticmethod
    def judge(
        events: list[Event],
        *,
        tests: str = "def test_a(): ...\ndef test_b(): ...\n",
        report: str | None = None,
        module: str = "",
        code: int | None = 1,
        wait_status: int | None = None,
        **fields: object,
    ) -> TestReport:
        """The verdict on `events` (or on the text of `report`) of a worker that ended with exit code `code`."""
        text = "".join(json.dumps(event) + "\n" for event in events) if report is None else report
        status = wait_status if wait_status is not None or code is None else code << 8
        result = {"ended_by": "exit", "wait_status": status, "report": text, "output_head": "", "output_tail": ""}
        guest = GuestResult.model_validate({**result, "output_bytes": 0, "seconds": 0.5, **fields})
        return judge(guest, Job(code=module, tests=tests), SECRET)


def _id(test: str) -> str:
    return test if test.startswith(f"{SECRET.canary.file}::") else f"test_solution.py::{test}"


@pytest.fixture(scope="session")
def told() -> Told:
    """Builds the events of a guest and judges them."""
    return Told()


@pytest.fixture(scope="session")
def engine() -> Iterator[Engine]:
    """A reachable container engine; where CI is set its absence is a failure, elsewhere a reason to skip."""
    try:
        found = find_engine()
    except EngineUnavailable as error:
        if os.environ.get("CI"):
            raise
        pytest.skip(f"no container engine: {error.message}")
    yield found
    found.client.close()


@pytest.fixture(scope="session")
def run(container: Sandbox) -> Callable[..., TestReport]:
    """`run(tests, code="", **limits)`: the report of a real container."""
    return lambda tests, code="", **limits: container.run(_job(tests, code, **limits))


@pytest.fixture(scope="session")
def run_in_shared(shared_container: Sandbox) -> Callable[..., TestReport]:
    """The same, in a child of its own in a container that other jobs had before."""
    return lambda tests, code="", **limits: shared_container.run(_job(tests, code, **limits))


def _job(tests: str, code: str, **limits: float) -> Job:
    return Job(code=code, tests=tests, limits=Limits.model_validate({"seconds": PATIENCE, **limits}))


@pytest.fixture
def refused_connections() -> Iterator[None]:
    """For tests that knock at sockets where nobody answers: the SDK leaves those of its own open."""
    yield
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        gc.collect()
