"""What a run leaves in its folder: whole files, marked when unverified, and nobody else's touched."""

import hashlib
import tempfile
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

import pytest

import src.artifacts
from sandbox import TestCounts, TestOutcome, TestReport
from src.artifacts import artifact_names, check_folder, deliver, read_report
from src.errors import ConfigurationError
from src.report import Problem, RunFacts, RunReport, Tier, build_report
from src.state import ROLES, TeamState

CODE = "def answer():\r\n    return 42\n"
FACTS = RunFacts(
    run_id="answer-1",
    started_at=datetime(2026, 11, 30, tzinfo=UTC),
    seconds=1.0,
    tiers={role: Tier(provider="replay", model="by hand") for role in ROLES},
    backend="docker",
)


def measured(*outcomes: Any) -> dict[str, Any]:
    tests = [TestOutcome(id=f"test_{number}", outcome=outcome) for number, outcome in enumerate(outcomes)]
    passed = all(outcome == "passed" for outcome in outcomes)
    report = TestReport(
        status="passed" if passed else "failed",
        counts=TestCounts.of(tests),
        tests=tests,
        error_summary="" if passed else "E   assert 1 == 2\n```\n# not a heading",
        image="sha256:abc",
    )
    return report.model_dump()


def a_state(*outcomes: str, **changes: Any) -> TeamState:
    state: dict[str, Any] = {
        "user_request": "Answer.",
        "module_name": "answer",
        "specs": "It answers.",
        "tests": "from answer import answer\n",
        "code": CODE,
        "best": {"code": CODE, "test_results": measured(*outcomes), "iteration": 1},
        "iteration": 1,
        "max_iterations": 3,
        "review_summary": "Good.",
    }
    return cast(TeamState, state | changes)


def delivered(folder: Path, state: TeamState, *, force: bool = False) -> RunReport:
    return deliver(folder, state, build_report(state, FACTS), force=force)


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_a_verified_run_leaves_everything_but_a_mark(tmp_path: Path) -> None:
    delivered(tmp_path / "out", a_state("passed"))
    everything = {"answer.py", "test_answer.py", "SPEC.md", "REVIEW.md", "junit.xml", "report.json"}
    assert names(tmp_path / "out") == everything
    assert everything | {"UNVERIFIED.md"} == set(artifact_names("answer"))


def test_the_module_is_byte_for_byte_what_was_tested(tmp_path: Path) -> None:
    delivered(tmp_path, a_state("passed", code="a later candidate"))
    assert (tmp_path / "answer.py").read_bytes() == CODE.encode()


def test_the_report_holds_the_hash_of_every_other_file(tmp_path: Path) -> None:
    report = delivered(tmp_path, a_state("passed"))
    assert set(report.files) == names(tmp_path) - {"report.json"}
    for name, digest in report.files.items():
        assert hashlib.sha256((tmp_path / name).read_bytes()).hexdigest() == digest
    assert read_report(tmp_path) == report


def test_an_unverified_run_is_marked_everywhere_but_in_the_code(tmp_path: Path) -> None:
    report = delivered(tmp_path, a_state("passed", "failed"))
    assert report.verdict == "UNVERIFIED"
    for name in ("SPEC.md", "REVIEW.md", "UNVERIFIED.md"):
        assert "UNVERIFIED" in (tmp_path / name).read_text().splitlines()[0]
    assert (tmp_path / "answer.py").read_bytes() == CODE.encode()


def test_the_mark_says_why_and_what_failed_cannot_end_its_block(tmp_path: Path) -> None:
    refused = [{"id": "1", "role": "debugger", "reasons": ["The module is not valid Python."]}]
    delivered(tmp_path, a_state("passed", "failed", rejections=refused))
    mark = (tmp_path / "UNVERIFIED.md").read_text()
    assert "1 of 2 tests passed" in mark
    assert "\n    E   assert 1 == 2\n    ```\n    # not a heading\n" in mark
    assert "* debugger: The module is not valid Python." in mark


def test_only_what_exists_is_written(tmp_path: Path) -> None:
    state = TeamState(user_request="Answer.", module_name="answer", specs="It answers.", tests="", max_iterations=3)
    facts = replace(FACTS, problem=Problem(message="The provider is away.", remedy="Try again."))
    deliver(tmp_path, state, build_report(state, facts))
    assert names(tmp_path) == {"SPEC.md", "UNVERIFIED.md", "report.json"}
    assert "The provider is away.\n\nTry again." in (tmp_path / "UNVERIFIED.md").read_text()


def test_an_untested_candidate_is_delivered_too(tmp_path: Path) -> None:
    state = a_state("passed")
    del state["best"]
    assert delivered(tmp_path, state).verdict == "UNVERIFIED"
    assert (tmp_path / "answer.py").read_bytes() == CODE.encode()
    assert "No candidate was tested." in (tmp_path / "UNVERIFIED.md").read_text()


def test_a_second_run_replaces_the_first_and_its_stale_files(tmp_path: Path) -> None:
    delivered(tmp_path, a_state("failed"))
    check_folder(tmp_path, "answer")
    delivered(tmp_path, a_state("passed", review_summary=""))
    assert names(tmp_path) == {"answer.py", "test_answer.py", "SPEC.md", "junit.xml", "report.json"}


def test_files_of_a_run_with_another_module_are_replaced_as_well(tmp_path: Path) -> None:
    delivered(tmp_path, a_state("passed"))
    delivered(tmp_path, a_state("passed", module_name="other"))
    assert "answer.py" not in names(tmp_path)


@pytest.mark.parametrize("name", artifact_names("answer"))
def test_a_foreign_file_is_never_overwritten_without_force(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("mine")
    with pytest.raises(ConfigurationError, match=name):
        check_folder(tmp_path, "answer")
    with pytest.raises(ConfigurationError, match=name):
        delivered(tmp_path, a_state("passed"))
    assert (tmp_path / name).read_text() == "mine"
    assert names(tmp_path) == {name}


def test_a_file_that_was_edited_since_is_foreign(tmp_path: Path) -> None:
    delivered(tmp_path, a_state("passed"))
    (tmp_path / "answer.py").write_text("edited by hand")
    with pytest.raises(ConfigurationError, match=r"answer\.py"):
        check_folder(tmp_path, "answer")


def test_force_overwrites_only_the_names_of_a_run(tmp_path: Path) -> None:
    (tmp_path / "answer.py").write_text("mine")
    (tmp_path / "notes.txt").write_text("mine too")
    check_folder(tmp_path, "answer", force=True)
    delivered(tmp_path, a_state("passed"), force=True)
    assert (tmp_path / "answer.py").read_bytes() == CODE.encode()
    assert (tmp_path / "notes.txt").read_text() == "mine too"


def test_files_of_other_names_are_not_in_the_way(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    delivered(tmp_path, a_state("passed"))
    assert (tmp_path / "notes.txt").read_text() == "mine"


@pytest.mark.parametrize("name", ["answer.py", "report.json"])
def test_a_link_is_replaced_never_followed(tmp_path: Path, name: str) -> None:
    target = tmp_path / "precious"
    target.write_text("precious")
    folder = tmp_path / "out"
    folder.mkdir()
    (folder / name).symlink_to(target)
    with pytest.raises(ConfigurationError):
        delivered(folder, a_state("passed"))
    delivered(folder, a_state("passed"), force=True)
    assert target.read_text() == "precious"
    assert not (folder / name).is_symlink()


def test_a_folder_of_that_name_is_refused_even_with_force(tmp_path: Path) -> None:
    (tmp_path / "SPEC.md").mkdir()
    with pytest.raises(ConfigurationError, match=r"SPEC\.md"):
        check_folder(tmp_path, "answer", force=True)


def test_a_file_where_the_folder_should_be_is_refused(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("a file")
    with pytest.raises(ConfigurationError, match="not a folder"):
        check_folder(tmp_path / "out" / "deeper", "answer")


def test_a_dangling_link_where_the_folder_should_be_is_refused(tmp_path: Path) -> None:
    (tmp_path / "out").symlink_to(tmp_path / "nowhere")
    with pytest.raises(ConfigurationError, match="not a folder"):
        check_folder(tmp_path / "out", "answer")


def test_a_folder_that_cannot_be_written_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(**_options: object) -> None:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(tempfile, "TemporaryFile", refuse)  # root may write everywhere
    with pytest.raises(ConfigurationError, match="cannot be written to: Read-only file system"):
        check_folder(tmp_path / "out", "answer")


def test_checking_changes_nothing(tmp_path: Path) -> None:
    check_folder(tmp_path / "out" / "deeper", "answer")
    assert names(tmp_path) == set()


def test_a_full_disk_leaves_the_earlier_files_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    earlier = delivered(tmp_path, a_state("passed"))
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    write = src.artifacts._write_through
    written: list[Path] = []

    def fill_up(path: Path, content: bytes) -> None:
        written.append(path)
        write(path, content[:10])
        if len(written) == 3:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(src.artifacts, "_write_through", fill_up)
    with pytest.raises(OSError, match="No space left"):
        delivered(tmp_path, a_state("failed"))
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before
    assert read_report(tmp_path) == earlier


def test_what_a_killed_write_left_is_cleared_away(tmp_path: Path) -> None:
    (tmp_path / ".selfheal-0123.tmp").write_text("half a fi")
    delivered(tmp_path, a_state("passed"))
    assert ".selfheal-0123.tmp" not in names(tmp_path)


@pytest.mark.parametrize("content", [b"", b"{}", b"[]", b'{"files": {"../precious": "0"}}', b"\xff"])
def test_a_report_of_something_else_makes_nothing_ours(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "report.json").write_bytes(content)
    assert read_report(tmp_path) is None
    with pytest.raises(ConfigurationError, match=r"report\.json"):
        check_folder(tmp_path, "answer")


def test_a_report_cannot_make_files_outside_the_folder_ours(tmp_path: Path) -> None:
    precious = tmp_path / "precious.py"
    precious.write_text("precious")
    folder = tmp_path / "out"
    delivered(folder, a_state("passed"))
    forged = read_report(folder)
    assert forged is not None
    digest = hashlib.sha256(b"precious").hexdigest()
    forged = forged.model_copy(
        update={"module_name": "../precious", "files": forged.files | {"../precious.py": digest}}
    )
    (folder / "report.json").write_text(forged.model_dump_json())
    delivered(folder, a_state("passed"), force=True)
    assert precious.read_text() == "precious"


def test_what_was_changed_in_the_suite_stands_below_the_specification(tmp_path: Path) -> None:
    dispute = {"id": "d", "tests": ["test_a"], "reason": "3, not 4", "evidence": [], "decision": "amended"}
    dispute |= {"answer": "It is 3.", "difference": "-    assert f() == 4\n+    assert f() == 3"}
    delivered(tmp_path, a_state("passed", disputes=[dispute]))
    spec = (tmp_path / "SPEC.md").read_text(encoding="utf-8")
    assert spec.startswith("It answers.\n\n## The suite was changed after a failure\n")
    assert "    -    assert f() == 4\n    +    assert f() == 3\n" in spec
    delivered(tmp_path, a_state("failed", disputes=[dispute]))
    assert "* test_a: amended. It is 3." in (tmp_path / "UNVERIFIED.md").read_text(encoding="utf-8")


MARKED = (
    "import pytest\nfrom answer import answer\n\n\n"
    '@pytest.mark.request("Answer.")\ndef test_answer():\n    assert answer() == 42\n'
)


def test_a_suite_with_markers_comes_with_what_they_mean(tmp_path: Path) -> None:
    report = delivered(tmp_path, a_state("passed", tests=MARKED))
    assert "conftest.py" in report.files
    assert '"request(words): ' in (tmp_path / "conftest.py").read_text()
    delivered(tmp_path, a_state("passed"))
    assert "conftest.py" not in names(tmp_path), "a suite without markers needs none"


def test_a_folder_keeps_its_own_configuration_of_pytest(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text("# mine\n")
    report = delivered(tmp_path, a_state("passed", tests=MARKED))
    assert "conftest.py" not in report.files
    assert (tmp_path / "conftest.py").read_text() == "# mine\n"
