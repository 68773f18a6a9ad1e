"""The doctor names what is missing and how to mend it, and calls no model."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import src.cli.doctor
from sandbox import EngineUnavailable
from sandbox.image import present_image
from sandbox.prereqs import Engine, find_engine
from src.cli.doctor import doctor_command, examine
from src.cli.view import Finding
from src.config import Settings, load_settings
from src.errors import ConfigurationError, ExitCode


class Client:
    """An engine's client that is only closed."""

    def close(self) -> None:
        pass


def no_engine() -> Engine:
    raise EngineUnavailable("No container engine answers.", "Install one.")


def an_engine() -> Engine:
    client: Any = Client()
    return Engine(client, "Docker 99 at somewhere")


@pytest.fixture(autouse=True)
def _no_image(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(src.cli.doctor, "present_image", lambda _client, _base, _packages: None)


@pytest.fixture
def use(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., None]:
    """`use(GEMINI_API_KEY="…")`: what is set when the doctor looks."""

    def with_changes(**changes: Any) -> None:
        given = {"runs_path": tmp_path / "runs.sqlite"} | changes
        monkeypatch.setattr(src.cli.doctor, "load_settings", lambda: load_settings(tmp_path, **given))

    return with_changes


def found(find: Callable[[], Engine] = an_engine) -> dict[str, Finding]:
    return {finding.name: finding for finding in examine(find)}


def test_without_an_engine_it_says_how_to_get_one(use: Callable[..., None]) -> None:
    use()
    engine = found(no_engine)["engine"]
    assert (engine.fault, engine.mend) == (5, "Install one.")


def test_an_image_that_is_missing_is_no_fault(use: Callable[..., None]) -> None:
    use()
    image = found()["image"]
    assert image.fault is None
    assert "first run builds it" in image.told


@pytest.mark.docker
@pytest.mark.usefixtures("container")
def test_a_verdict_is_timed_where_the_image_is_there(use: Callable[..., None], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(src.cli.doctor, "present_image", present_image)
    use()
    verdict = found(find_engine)["verdict"]
    assert verdict.fault is None
    assert "ms for two tests" in verdict.told
    assert "separate process" in verdict.told


def test_without_a_key_it_lists_the_ways_to_a_model(use: Callable[..., None]) -> None:
    use()
    models = found()["models"]
    assert models.fault == 2
    assert "OPENAI_BASE_URL" in models.mend


def test_with_a_key_it_shows_the_tiers_and_never_the_key(use: Callable[..., None]) -> None:
    use(GEMINI_API_KEY="a-very-secret-key")
    findings = found()
    assert "models" not in findings, findings["models"]
    assert findings["developer"].told == "gemini:gemini-3.7-flash, thinking medium"
    assert all(finding.fault is None for finding in findings.values())
    assert "a-very-secret-key" not in repr(findings)


def test_a_database_that_cannot_be_used_is_found(use: Callable[..., None], tmp_path: Path) -> None:
    use(runs_path=tmp_path)
    assert found()["runs"].fault == 2


def test_settings_that_cannot_be_read_end_the_examination(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong() -> Settings:
        raise ConfigurationError("MODEL_TIMEOUT: no number.", "Set it.")

    monkeypatch.setattr(src.cli.doctor, "load_settings", wrong)
    assert list(found()) == ["settings"]


def test_it_ends_with_the_code_of_the_first_fault(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    findings = [Finding("a", "fine"), Finding("b", "bad\x1b[2J", "mend\nit", fault=ExitCode.SANDBOX)]
    monkeypatch.setattr(src.cli.doctor, "examine", lambda: iter(findings))
    assert doctor_command() == 5
    assert capsys.readouterr().out == "ok  a          fine\nBAD b          bad\n      mend\n      it\n"
