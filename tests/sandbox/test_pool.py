"""Containers that are parked ahead: who gets which, what is replaced, and that nothing of it is left."""

import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from sandbox import ContainerFailed, Job, Limits, Sandbox, SandboxError
from sandbox.docker import DockerSandbox
from sandbox.owner import OWNER_LABEL
from sandbox.pool import Pool, Shape
from sandbox.prereqs import Engine

GREEN = Job(code="", tests="def test_a(): ...", run_id="a-run")
SHAPE = Shape.of(Limits())
OTHER = Shape.of(Limits(memory_mb=512))


class Made:
    """Stands for a container."""

    def __init__(self, shape: Shape) -> None:
        self.shape = shape
        self.born = time.monotonic()
        self.waits = True
        self.removed = threading.Event()

    def hang_up(self) -> None:
        self.waits = False

    def remove(self) -> None:
        self.removed.set()


class Maker:
    """Makes them, or fails as often as told, and keeps them all."""

    def __init__(self) -> None:
        self.all: list[Made] = []
        self.faults = 0
        self.may_make = threading.Event()
        self.may_make.set()

    def __call__(self, shape: Shape, _run_id: str) -> Any:
        self.may_make.wait(60)
        if self.faults:
            self.faults -= 1
            raise ContainerFailed("not today")
        self.all.append(Made(shape))
        return self.all[-1]


@pytest.fixture
def maker(monkeypatch: pytest.MonkeyPatch) -> Maker:
    monkeypatch.setattr("sandbox.pool.Container", Made)
    return Maker()


@pytest.fixture
def pool(maker: Maker) -> Iterator[Pool]:
    pool = Pool(maker, size=2)
    yield pool
    pool.close()
    assert all(made.removed.is_set() for made in maker.all)


def test_a_parked_container_is_taken_and_replaced_when_it_is_given_back(pool: Pool, maker: Maker) -> None:
    pool.park(SHAPE)
    pool.settle()
    assert len(maker.all) == 2
    taken: Any = pool.take(SHAPE)
    assert taken in maker.all
    assert len(maker.all) == 2

    pool.discard(taken, SHAPE)
    pool.settle()

    assert len(maker.all) == 3
    assert [made.removed.is_set() for made in maker.all].count(True) == 1


def test_an_empty_pool_makes_one(pool: Pool, maker: Maker) -> None:
    taken: Any = pool.take(SHAPE)
    assert taken is maker.all[0]


def test_a_pool_of_size_nothing_parks_nothing(maker: Maker) -> None:
    pool = Pool(maker, size=0)
    pool.park(SHAPE)
    pool.discard(pool.take(SHAPE), SHAPE)
    pool.close()

    assert len(maker.all) == 1


def test_a_container_serves_only_jobs_of_its_shape(pool: Pool) -> None:
    pool.park(SHAPE)
    pool.settle()
    taken: Any = pool.take(OTHER)

    assert taken.shape == OTHER


def test_of_many_shapes_only_those_that_were_wanted_last_stay_parked(pool: Pool, maker: Maker) -> None:
    for memory in (100, 200, 300, 400):
        pool.park(Shape.of(Limits(memory_mb=memory)))
    pool.settle()

    assert {made.shape.memory_mb for made in maker.all if not made.removed.is_set()} == {200, 300, 400}


def test_one_that_died_while_it_was_parked_is_passed_over(pool: Pool, maker: Maker) -> None:
    pool.park(SHAPE)
    pool.settle()
    dead, living = maker.all
    dead.waits = False

    taken: Any = pool.take(SHAPE)
    assert taken is living
    pool.settle()
    assert dead.removed.is_set()


def test_a_fault_while_parking_is_nobodys_and_a_fault_on_demand_is_raised(pool: Pool, maker: Maker) -> None:
    maker.faults = 2
    pool.park(SHAPE)
    pool.settle()
    taken: Any = pool.take(SHAPE)
    assert taken is maker.all[0]

    maker.faults = 1
    with pytest.raises(ContainerFailed, match="not today"):
        pool.take(SHAPE)


def test_what_is_old_is_replaced(maker: Maker) -> None:
    pool = Pool(maker, size=1, max_age=0.05)
    pool.park(SHAPE)
    deadline = time.monotonic() + 60
    while len(maker.all) < 2 or not maker.all[0].removed.is_set():
        assert time.monotonic() < deadline
        time.sleep(0.01)
    pool.close()

    assert all(made.removed.is_set() for made in maker.all)


def test_an_interrupt_while_waiting_leaves_no_container_behind(
    pool: Pool, maker: Maker, monkeypatch: pytest.MonkeyPatch
) -> None:
    from concurrent.futures import Future

    def interrupted(_future: Future[Any]) -> None:
        raise KeyboardInterrupt

    maker.may_make.clear()
    with monkeypatch.context() as patch:
        patch.setattr(Future, "result", interrupted)
        with pytest.raises(KeyboardInterrupt):
            pool.take(SHAPE)
    maker.may_make.set()
    pool.settle()

    assert [made.removed.is_set() for made in maker.all] == [True]


def test_closing_waits_until_those_parked_in_use_and_on_their_way_are_removed(maker: Maker) -> None:
    pool = Pool(maker, size=1)
    pool.park(SHAPE)
    pool.settle()
    in_use = pool.take(SHAPE)
    pool.park(OTHER)
    pool.close()

    assert not in_use.waits
    assert all(made.removed.is_set() for made in maker.all)
    with pytest.raises(SandboxError, match="closed"):
        pool.take(SHAPE)


def test_a_container_may_be_given_back_after_another_thread_has_closed_the_pool(maker: Maker) -> None:
    pool = Pool(maker, size=1)
    in_use: Any = pool.take(SHAPE)
    pool.close()

    pool.discard(in_use, SHAPE)

    assert [made.removed.is_set() for made in maker.all] == [True]


@pytest.mark.parametrize("size", [0, 1], ids=["made on demand", "parked"])
def test_a_container_that_comes_when_the_pool_is_closed_already_is_removed_and_not_used(
    maker: Maker, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    from concurrent.futures import Future

    pool = Pool(maker, size)
    pool.park(SHAPE)
    pool.settle()
    result = Future.result

    def closed_meanwhile(future: Future[Any], timeout: float | None = None) -> Any:
        made = result(future, timeout)
        monkeypatch.setattr(Future, "result", result)
        pool.close()
        return made

    monkeypatch.setattr(Future, "result", closed_meanwhile)
    with pytest.raises(SandboxError, match="closed"):
        pool.take(SHAPE)

    assert [made.removed.is_set() for made in maker.all] == [True]


def test_an_interrupt_that_meets_a_closed_pool_leaves_no_container_behind(
    maker: Maker, monkeypatch: pytest.MonkeyPatch
) -> None:
    from concurrent.futures import Future

    pool = Pool(maker, size=0)
    result = Future.result

    def interrupted(future: Future[Any], timeout: float | None = None) -> Any:
        result(future, timeout)
        monkeypatch.setattr(Future, "result", result)
        pool.close()
        raise KeyboardInterrupt

    monkeypatch.setattr(Future, "result", interrupted)
    with pytest.raises(KeyboardInterrupt):
        pool.take(SHAPE)

    assert [made.removed.is_set() for made in maker.all] == [True]


@pytest.fixture
def parked(container: Sandbox) -> Iterator[DockerSandbox]:
    """A sandbox of the test's own whose containers are parked; its image is built."""
    assert container.name == "docker"
    with DockerSandbox(confirm=False) as sandbox:
        sandbox.prepare(print)
        sandbox.settle()
        yield sandbox


def owned(engine: Engine, sandbox: DockerSandbox) -> list[Any]:
    return engine.client.containers.list(
        all=True, filters={"label": f"{OWNER_LABEL}={sandbox._owner}"}, ignore_removed=True
    )


@pytest.fixture
def requests(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every request to the engine from the thread of the test."""
    from requests import Session

    asked: list[str] = []
    send: Callable[..., Any] = Session.send
    here = threading.get_ident()

    def sending(self: Session, request: Any, **options: Any) -> Any:
        if threading.get_ident() == here:
            asked.append(f"{request.method} {request.url}")
        return send(self, request, **options)

    monkeypatch.setattr(Session, "send", sending)
    return asked


@pytest.mark.docker
def test_a_verdict_from_a_parked_container_asks_nothing_of_the_engine(
    parked: DockerSandbox, requests: list[str]
) -> None:
    assert parked.run(GREEN).passed
    assert requests == []


@pytest.mark.docker
def test_each_verdict_has_a_container_of_its_own(parked: DockerSandbox, engine: Engine) -> None:
    before = {found.name for found in owned(engine, parked)}
    leaving = "import pathlib\ndef test_a():\n    mark = pathlib.Path('/tmp/mark')\n    assert not mark.exists()\n"
    jobs = [Job(code="", tests=leaving + "    mark.touch()\n") for _ in range(3)]
    assert [parked.run(job).status for job in jobs] == ["passed"] * 3
    parked.settle()
    after = {found.name for found in owned(engine, parked)}

    assert len(before) == len(after) == 2
    assert not before & after


@pytest.mark.docker
@pytest.mark.usefixtures("container")
def test_preparing_returns_before_the_pool_is_full(monkeypatch: pytest.MonkeyPatch) -> None:
    from sandbox.container import Container

    may_start = threading.Event()
    start = Container.start

    def starting(self: Container, *args: Any) -> None:
        may_start.wait(60)
        start(self, *args)

    monkeypatch.setattr(Container, "start", starting)
    with DockerSandbox() as sandbox:
        sandbox.prepare(print)
        may_start.set()
        assert sandbox.run(GREEN).passed


@pytest.mark.docker
def test_a_parked_container_that_somebody_killed_is_replaced_in_silence(parked: DockerSandbox, engine: Engine) -> None:
    for found in owned(engine, parked):
        found.remove(force=True)

    assert parked.run(GREEN).passed


@pytest.mark.docker
def test_a_parked_container_ends_by_itself_when_its_host_hangs_up(parked: DockerSandbox) -> None:
    taken = parked._pool.take(SHAPE)
    taken.hang_up()

    assert taken._raw.wait(timeout=60)["StatusCode"] == 2
    parked._pool.discard(taken, SHAPE)


@pytest.mark.docker
def test_closing_leaves_nothing_parked(parked: DockerSandbox, engine: Engine) -> None:
    assert len(owned(engine, parked)) == 2
    parked.close()

    assert owned(engine, parked) == []


@pytest.mark.docker
@pytest.mark.usefixtures("container")
def test_a_sandbox_that_nobody_closed_leaves_nothing_when_the_program_ends(engine: Engine) -> None:
    import subprocess
    import sys

    program = """
from sandbox import Job
from sandbox.docker import DockerSandbox
sandbox = DockerSandbox()
print(sandbox._owner, flush=True)
assert sandbox.run(Job(code="", tests="def test_a(): ...")).passed
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)

    assert done.returncode == 0, done.stderr
    label = f"{OWNER_LABEL}={done.stdout.strip()}"
    assert engine.client.containers.list(all=True, filters={"label": label}, ignore_removed=True) == []
