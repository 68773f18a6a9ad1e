"""Lessons through whole runs: what one run repaired, another is told of."""

from pathlib import Path

import pytest

from sandbox.fake import FakeSandbox
from src.errors import ConfigurationError
from src.runs import Address
from src.runs.shelf import open_shelf
from tests.conftest import RunsReadOnce, Team
from tests.src.runs.test_travel import HEALED, PATCH, Killed, judge

REQUEST = "Answer the question of everything."
CAUSE = "The answer to the question was one too low."
LEARNT = HEALED | {"debugger": [PATCH.replace("The answer was one too low.", CAUSE)]}


def team(run_id: str, **answers: list[str | BaseException]) -> Team:
    return Team(FakeSandbox(judge, series=judge), run_id, **answers)


def told(crew: Team, role: str) -> str:
    return crew.models[role].asked[0][1][1]  # type: ignore[index]  # a role


@pytest.mark.parametrize("key", [None, "a long secret text"])
def test_what_a_run_has_repaired_is_a_hint_for_the_next_one_of_its_project_alone(
    tmp_path: Path, key: str | None
) -> None:
    address = Address(tmp_path / "runs.sqlite", key=key)
    runs = RunsReadOnce(address, min_tests=1)
    runs.start(REQUEST, team("a", **LEARNT).context, lessons="here")
    crews = {name: team(name, **HEALED) for name in ("b", "c", "d")}
    runs.start(REQUEST, crews["b"].context, lessons="here")
    runs.start(REQUEST, crews["c"].context, lessons="elsewhere")
    runs.start(REQUEST, crews["d"].context)
    for role in ("architect", "developer"):
        assert f"```text\n{CAUSE}\n```" in told(crews["b"], role)
        assert "no instructions" in told(crews["b"], role)
        assert CAUSE not in told(crews["c"], role) + told(crews["d"], role)
    assert CAUSE not in told(crews["b"], "debugger")
    with open_shelf(address, "here") as shelf:
        assert [(one.cause, done.saw, done.green) for one, done in shelf.all()][-1] == (CAUSE, 1, 0)
    if key:
        content = b"".join(path.read_bytes() for path in tmp_path.glob("runs.sqlite*") if path.is_file())
        assert b"one too low" not in content


def test_lessons_that_are_encrypted_stop_a_run_without_their_key_before_it_begins(tmp_path: Path) -> None:
    locked, path = Address(tmp_path / "runs.sqlite", key="a long secret text"), tmp_path / "runs.sqlite"
    RunsReadOnce(locked, min_tests=1).start(REQUEST, team("a", **LEARNT).context, lessons="here")
    for key in (None, "another secret text"):
        crew = team("b", **HEALED)
        with pytest.raises(ConfigurationError, match="encrypted with another RUNS_KEY"):
            RunsReadOnce(Address(path, key=key), min_tests=1).start(REQUEST, crew.context, lessons="here")
        assert not crew.models["architect"].asked
    assert RunsReadOnce(locked).names() == ["a"]


def test_a_run_that_is_killed_and_resumed_sees_the_same_hints_and_teaches_once(tmp_path: Path) -> None:
    address = Address(tmp_path / "runs.sqlite")
    runs = RunsReadOnce(address, min_tests=1)
    runs.start(REQUEST, team("a", **LEARNT).context, lessons="here")
    killed = team("b", architect=LEARNT["architect"], developer=[Killed()])
    with pytest.raises(Killed):
        runs.start(REQUEST, killed.context, lessons="here")
    with open_shelf(address, "here") as shelf:
        shelf.forget(shelf.all()[0][0].key)
    rest = team("b", **{**LEARNT, "architect": []})
    runs.resume("b", rest.context)
    assert CAUSE in told(rest, "developer")
    runs.resume("b", rest.context)
    with open_shelf(address, "here") as shelf:
        assert [(one.cause, one.run_id, done.saw) for one, done in shelf.all()] == [(CAUSE, "b", 1)]


def test_a_fork_may_teach_but_says_nothing_of_how_helpful_a_lesson_was(tmp_path: Path) -> None:
    address = Address(tmp_path / "runs.sqlite")
    runs = RunsReadOnce(address, min_tests=1)
    runs.start(REQUEST, team("a", **HEALED).context, lessons="here")
    runs.start(REQUEST, team("b", **HEALED).context, lessons="here")
    runs.fork("b", "1", team("c", **LEARNT).context, notes={"lessons": "here"})
    runs.replay("b", "1", team("b", **HEALED | {"developer": ["```python\ndef answer():\n    return 42\n```"]}).context)
    with open_shelf(address, "here") as shelf:
        by_run = {one.run_id: done for one, done in shelf.all()}
    assert set(by_run) == {"a", "c"}
    assert (by_run["c"].saw, by_run["a"].green) == (0, 0)


def test_a_lesson_is_edited_and_forgotten_by_the_beginning_of_its_name(tmp_path: Path) -> None:
    address = Address(tmp_path / "runs.sqlite")
    RunsReadOnce(address, min_tests=1).start(REQUEST, team("a", **LEARNT).context, lessons="here")
    with open_shelf(address, "here") as shelf:
        ((first, _),) = shelf.all()
        new = shelf.edit(first.key[:6], "Count from one.")
        assert [one.cause for one, _ in shelf.all()] == ["Count from one."]
        for key in ("", "zz", first.key):
            with pytest.raises(ConfigurationError, match="begin with"):
                shelf.called(key)
        with pytest.raises(ConfigurationError, match="empty"):
            shelf.edit(new.key, "  ")
        assert shelf.forget(new.key).cause == "Count from one."
        assert shelf.all() == []
