"""`selfheal doctor`: what is there, what is missing, and how to mend each. Calls no model."""

import time
from collections.abc import Callable, Iterator

from sandbox import Job, SandboxError
from sandbox.image import present_image
from sandbox.prereqs import Engine, find_engine
from src.cli.console import open_console
from src.cli.execute import NO_ISOLATION, open_configured_sandbox
from src.cli.plain import say_findings
from src.cli.request import example_names
from src.cli.stored import address_of
from src.cli.view import Finding
from src.config import Settings, load_settings
from src.errors import ExitCode, TeamError
from src.models import PROVIDERS, build_ladders, check_keys, describe_tiers
from src.models.embedding import open_embedder
from src.models.tiers import provider_called

PROBE = Job(
    code="def double(n):\n    return 2 * n\n",
    tests="from solution import double\n\n"
    "def test_two():\n    assert double(2) == 4\n\ndef test_none():\n    assert double(0) == 0\n",
)
"""What a verdict is timed with."""


def doctor_command() -> int:
    """Look at everything, say what was found, and return the exit code of the first thing that hinders a run."""
    findings: list[Finding] = []
    console = open_console()
    for finding in examine():
        findings.append(finding)
        say_findings(console, finding)
    return next((finding.fault for finding in findings if finding.fault is not None), ExitCode.VERIFIED)


def examine(find: Callable[[], Engine] = find_engine) -> Iterator[Finding]:
    """Look at one thing after the other, the cheap ones first within each kind."""
    try:
        settings = load_settings()
    except TeamError as error:
        yield Finding("settings", error.message, error.remedy, error.exit_code)
        return
    yield Finding("settings", "in order")
    yield from _sandbox(settings, find)
    yield from _models(settings)
    yield _database(settings)
    names = example_names()
    yield Finding("examples", ", ".join(names) if names else "none are there", "" if names else "Install it again.")


def _sandbox(settings: Settings, find: Callable[[], Engine]) -> Iterator[Finding]:
    if settings.sandbox.backend != "docker":
        warning = NO_ISOLATION if settings.sandbox.backend == "subprocess" else ""
        yield Finding("engine", f"not needed: SANDBOX_BACKEND={settings.sandbox.backend}", warning)
        return
    try:
        engine = find()
    except SandboxError as error:
        yield Finding("engine", error.message, error.remedy, ExitCode.SANDBOX)
        return
    yield Finding("engine", engine.description)
    try:
        digest = present_image(engine.client, settings.sandbox.base_image, settings.sandbox.packages)
        told = digest or "not there yet; the first run builds it, which takes a minute or two"
        yield Finding("image", told)
        if digest:
            yield timed_verdict(settings)
    except SandboxError as error:
        yield Finding("image", error.message, error.remedy, ExitCode.SANDBOX)
    finally:
        engine.client.close()


def timed_verdict(settings: Settings) -> Finding:
    """A verdict on a small suite, and where its time goes. Raises `SandboxError`."""
    began = time.monotonic()
    with open_configured_sandbox(settings) as sandbox:
        sandbox.prepare(_unheard)
        looked_up = time.monotonic()
        sandbox.settle()
        parked = time.monotonic()
        report = sandbox.run(PROBE)
        took = time.monotonic() - parked
    if not report.passed:
        return Finding("verdict", f"it must be green: {report.reason}", "See sandbox/README.md.", ExitCode.SANDBOX)
    told = f"{took * 1000:.0f} ms for two tests, {report.seconds * 1000:.0f} of them inside ({report.isolation})"
    before = f"engine and image {looked_up - began:.1f} s, containers parked {parked - looked_up:.1f} s"
    return Finding("verdict", f"{told}; before it, while a model thinks: {before}")


def _unheard(_line: str) -> None:
    """Nothing is built here that could take long."""


def _models(settings: Settings) -> Iterator[Finding]:
    """Keys, of which only the names are shown, and the tier of each role."""
    there = [provider_called(name) for name in PROVIDERS]
    found = [provider.title for provider in there if provider.key(settings) is not None]
    if found:
        yield Finding("keys", f"set for {', '.join(found)}")
    try:
        check_keys(settings)
        build_ladders(settings)  # the clients check their own arguments; nothing is sent
        embedder = open_embedder(settings)
    except TeamError as error:
        yield Finding("models", error.message, error.remedy, error.exit_code)
        return
    for role, tier in describe_tiers(settings).items():
        level = f", thinking {tier.thinking_level}" if tier.thinking_level else ""
        yield Finding(role, f"{tier.provider}:{tier.model}{level}")
    if embedder is not None:
        yield Finding("lessons", f"found by their meaning, {embedder.name}")


def _database(settings: Settings) -> Finding:
    address = address_of(settings)
    try:
        address.check()
    except TeamError as error:
        return Finding("runs", error.message, error.remedy, error.exit_code)
    told = f"saved in {settings.runs_path if settings.runs_url is None else address}"
    return Finding("runs", f"{told}, encrypted" if settings.runs_key else told)
