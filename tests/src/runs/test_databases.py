"""What holds for runs in both databases: a file, and Postgres."""

import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from importlib import import_module
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

from sandbox.fake import FakeSandbox
from src.cli.difference import changed, facts_of
from src.context import TeamContext
from src.errors import BudgetReached, ConfigurationError
from src.runs import Address, AtWork, Runs, SavedRun, UnreadableRun
from src.runs.book import StoreBook
from src.runs.listed import all_names
from src.runs.shelf import open_shelf
from tests.conftest import RunsReadOnce, Team
from tests.src.runs.test_travel import HEALED, PATCH, judge
from tests.src.runs.test_travel import RIGHT as RIGHT_ANSWER
from tests.test_developers import Several
from tests.test_graph import DESIGN, RIGHT, WRONG, measure, module

ROOT = Path(__file__).parents[3]
KEY = "a-long-secret-text-for-the-tests"


@pytest.fixture(params=["sqlite", "postgres"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> Address:
    url = request.getfixturevalue("postgres") if request.param == "postgres" else None
    return Address(tmp_path / "runs.sqlite", url)


@pytest.fixture
def name(request: pytest.FixtureRequest) -> str:
    """A name that no other test gives a run; the server is shared."""
    return f"run-{abs(hash(request.node.name)):x}"


def finished(address: Address, name: str, team: Callable[..., Any]) -> Runs:
    """A database with a run of that name that is at its end."""
    runs = RunsReadOnce(address, min_tests=1)
    crew = team(FakeSandbox(measure), name, architect=[DESIGN], developer=[module(RIGHT)], reviewer=["Good."])
    runs.start("add numbers", crew.context)
    return runs


def test_a_run_is_restored_as_it_was(address: Address, name: str, team: Callable[..., Any]) -> None:
    saved = finished(address, name, team).saved(name)
    assert (saved.finished, saved.state["code"], len(saved.calls)) == (True, RIGHT, 3)


def test_a_file_that_is_no_database_of_this_program_is_told_from_one_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "damaged").write_bytes(b"SQLite format 3\0" + b"noise" * 500)
    with closing(sqlite3.connect(tmp_path / "foreign")) as database:
        database.execute("CREATE TABLE checkpoints (id)")
        database.commit()
    for name, told in (("damaged", "move it away"), ("foreign", "move it away"), ("", "can be written")):
        with pytest.raises(ConfigurationError) as caught:
            list(Runs(Address(tmp_path / name)).all())
        assert told in str(caught.value.remedy), name


def test_the_history_tells_what_a_run_had_cost_at_each_step(
    address: Address, name: str, team: Callable[..., Any]
) -> None:
    steps = finished(address, name, team).history(name)
    told = [(step.done, len(step.calls)) for step in steps]
    assert told[-4:] == [("architect", 1), ("developer", 2), ("test_runner", 2), ("reviewer", 3)]


def test_a_deleted_run_leaves_nothing_and_its_name_is_free(
    address: Address, name: str, team: Callable[..., Any]
) -> None:
    runs = finished(address, name, team)
    runs.delete(name)
    assert name not in runs.names()
    with address.open() as database:
        assert not database.store.search(("texts", name))
        assert not database.store.search(("ledger", name))
    finished(address, name, team)


def test_an_unknown_name_suggests_the_nearest(address: Address, name: str, team: Callable[..., Any]) -> None:
    runs = finished(address, name, team)
    for ask, end in product((runs.saved, runs.history, runs.delete), ("x", "\udcff")):
        with pytest.raises(ConfigurationError, match="no run called") as caught:
            ask(f"{name}{end}")
        assert repr(name) in caught.value.remedy


def test_a_run_that_is_older_than_the_list_is_listed(address: Address, name: str, team: Callable[..., Any]) -> None:
    runs = finished(address, name, team)
    with address.open() as database:
        database.store.delete(("runs",), name)
    assert name in runs.names()


def test_a_run_that_cannot_be_read_is_named_with_the_reason(
    address: Address, name: str, team: Callable[..., Any]
) -> None:
    finished(Address(address.path, address.url, KEY), name, team)
    for key, reason in ((None, "is encrypted"), ("another-key-of-some-length", "RUNS_KEY")):
        listed = {run.run_id: run for run in Runs(Address(address.path, address.url, key)).all()}
        run = listed[name]
        assert isinstance(run, UnreadableRun)
        assert reason in run.reason
    whole = {run.run_id: run for run in Runs(Address(address.path, address.url, KEY)).all()}[name]
    assert isinstance(whole, SavedRun)


def test_threads_of_other_programs_in_the_same_database_are_no_runs(tmp_path: Path) -> None:
    with Address(tmp_path / "runs.sqlite").open() as database:
        shared = replace(database, threads=lambda: ["a-run", "support_desk:a-thread"])
        assert all_names(shared) == ["a-run"]


def test_a_run_is_replayed_forked_compared_and_learnt_from(address: Address, name: str) -> None:
    runs, sandbox = RunsReadOnce(address, min_tests=1), FakeSandbox(judge, series=judge)

    def crew(run_id: str, **answers: list[str | BaseException]) -> TeamContext:
        return Team(sandbox, run_id, **answers).context

    hopeless: list[str | BaseException] = [PATCH.replace("42", "40")]
    runs.start("Answer.", crew(name, **HEALED | {"debugger": hopeless}), max_iterations=1, lessons=name)
    at = next(str(step.number) for step in runs.history(name) if "debugger" in step.next)
    assert runs.replies_until(name, at) == {"architect": 1, "developer": 1}
    again = runs.replay(name, at, crew(name, debugger=hopeless, reviewer=["Fine."]))
    assert (again["review_summary"], len(runs.saved(name).calls)) == ("Fine.", 6)
    runs.fork(name, at, crew(f"{name}-f", debugger=[PATCH], reviewer=["Good."]), notes={"lessons": name})
    before, fork = runs.saved(name), runs.saved(f"{name}-f")
    assert (facts_of(before)["outcome"], facts_of(fork)["outcome"]) == ("UNVERIFIED", "VERIFIED")
    assert (fork.origin, "+    return 42" in changed(before, fork, "code")) == (f"{name}@{at}", True)
    with open_shelf(address, name) as shelf:
        assert [(one.run_id, done.saw) for one, done in shelf.all()] == [(f"{name}-f", 0)]
        shelf.edit(shelf.all()[0][0].key, "Count from one.")
        assert shelf.forget(shelf.all()[0][0].key).cause == "Count from one."
    runs.delete(name)
    assert runs.saved(f"{name}-f").state["best"]["code"] == RIGHT_ANSWER, "a fork outlives its origin"


@pytest.mark.parametrize("key", [None, KEY])
def test_several_developers_are_kept_and_resumed(
    address: Address, name: str, key: str | None, team: Callable[..., Any]
) -> None:
    runs = RunsReadOnce(Address(address.path, address.url, key), min_tests=1)
    name = f"{name}{len(key or '')}"
    crew = team(FakeSandbox(measure), name, architect=[DESIGN], reviewer=["Good."])
    crew.models["developer"] = Several(*[[module(WRONG)]] * 4, [BudgetReached("No more."), module(RIGHT)])
    with pytest.raises(BudgetReached):
        runs.start("add numbers", crew.context, developers=5)
    assert runs.resume(name, crew.context)["code"] == RIGHT
    assert [len(one.asked) for one in crew.models["developer"].each] == [1, 1, 1, 1, 2]
    assert len(runs.saved(name).calls) == 8


def test_a_character_that_postgres_takes_in_no_json_is_kept_as_any_other(address: Address, name: str) -> None:
    runs = RunsReadOnce(address, min_tests=1)
    crew = Team(FakeSandbox(judge, series=judge), name, **HEALED | {"reviewer": ["Go\0od."]})
    runs.start("Answer\0.", crew.context)
    saved = runs.saved(name)
    assert (saved.state["user_request"], len(saved.calls)) == ("Answer\0.", 4)
    with address.open() as database:
        replies = [entry["reply"] for entry in StoreBook(database.store, name, database.vault).entries().values()]
    assert "Go\0od." in [reply["text"] for reply in replies if reply]


HOLDS = """
import sys
from pathlib import Path
from src.runs import Address
path, url, run_id = sys.argv[1:]
with Address(Path(path), url or None).open() as database, database.held(run_id):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_a_second_process_is_told_and_a_killed_one_lets_go(
    address: Address, name: str, team: Callable[..., Any]
) -> None:
    runs = finished(address, name, team)
    words = [sys.executable, "-c", HOLDS, str(address.path), address.url or "", name]
    with subprocess.Popen(words, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        crew = team(FakeSandbox(measure), name)
        for work in (lambda: runs.resume(name, crew.context), lambda: runs.delete(name)):
            with pytest.raises(AtWork, match="Another process is at work"):
                work()
        holder.kill()
    with address.open() as database, database.held(name):
        pass


def test_a_type_that_somebody_put_into_the_database_is_not_imported(
    address: Address, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "forged.py").write_text("import enum\nclass Forged(enum.Enum):\n    A = 'a'\n")
    monkeypatch.syspath_prepend(tmp_path)
    kind, content = JsonPlusSerializer().dumps_typed({"status": import_module("forged").Forged.A})
    del sys.modules["forged"]
    with address.open() as database:
        database.checkpointer.serde.loads_typed((kind, content))
    assert "forged" not in sys.modules
    JsonPlusSerializer(allowed_msgpack_modules=True).loads_typed((kind, content))
    assert sys.modules.pop("forged"), "LangGraph's own would have"


def test_an_address_for_people_has_no_password() -> None:
    told = str(Address(Path("x"), "postgresql://ann:s3cret@db.example:5433/runs"))
    assert told == "the Postgres database db.example:5433/runs"


@pytest.mark.parametrize(
    "url", ["postgresql://ann:s3cret@127.0.0.1:1/runs", "postgresql://ann:s3cret@/runs?host=/nowhere&bad=1"]
)
def test_a_server_that_cannot_be_used_is_named_without_the_password(url: str) -> None:
    with pytest.raises(ConfigurationError, match="RUNS_URL") as caught:
        Address(Path("x"), url).check()
    assert "s3cret" not in str(caught.value)
