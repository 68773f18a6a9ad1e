"""`selfheal replay` and `selfheal fork`: run again from a step of a run, or make a new run from there."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from src.artifacts import check_folder
from src.cli.ask import choose_asker
from src.cli.audience import Audience, choose_view
from src.cli.choice import Choice, choices, noted
from src.cli.execute import Workshop, execute
from src.cli.plan import Plan, Travel
from src.cli.resume import plan_of
from src.cli.run import tell
from src.cli.stored import address_of, runs_of
from src.config import Settings
from src.errors import ConfigurationError
from src.runs import SavedRun, asked, check_name, new_run_id
from src.runs.edits import MAX_TEXT, NUMBERS, Changes, check_keys
from src.runs.names import MAX_NAME

MAX_DIGITS = 20
"""Digits of a number at most."""


@dataclass(frozen=True)
class ForkOptions:
    """The options of a fork."""

    run_id: str
    """The run that is forked."""
    at: str
    """The step."""
    changes: Sequence[str] = ()
    """Parts of the state, as `KEY=VALUE` or `KEY=@FILE`."""
    models: Sequence[str] = ()
    """Models, as `ROLE=MODEL`."""
    levels: Sequence[str] = ()
    """Thinking levels, as `ROLE=LEVEL`."""
    env: Path | None = None
    """File of settings."""
    thread: str | None = None
    """Name of the new run."""
    out: Path | None = None
    """Folder of the new run."""
    force: bool = False
    """Whether files of other origin may be overwritten."""


def replay_command(
    run_id: str, at: str, out: Path | None, audience: Audience, flags: Mapping[str, Any], *, force: bool
) -> int:
    """Run again from a step, deliver what comes of it, and return the exit code."""
    saved = stored(run_id, Choice().settings(flags))
    settings = noted(saved.notes).settings(flags)
    plan = replay_plan(saved, at, settings, out, force=force)
    check_folder(plan.folder, plan.module_name, force=force)
    view = choose_view(audience)
    report = execute(plan, Workshop(settings, view, ask=choose_asker(view, settings.editor)))
    tell(report, audience)
    return report.exit_code


def fork_command(options: ForkOptions, audience: Audience, flags: Mapping[str, Any]) -> int:
    """Make one fork, or several side by side, and return the exit code: the winner's, else that of the best."""
    chosen = choices(options.models, options.levels, options.env)
    changes = read_changes(options.changes)
    saved = stored(options.run_id, chosen[0].settings(flags))
    before = noted(saved.notes)
    every = [one.beside(before) for one in chosen]
    settings = [one.settings(flags) for one in every]
    plans = fork_plans(options, saved, changes, every, settings[0])
    if len(plans) > 1:
        from src.cli.tournament import Entrant, tournament

        entrants = [Entrant(*entry) for entry in zip(plans, settings, chosen, strict=True)]
        return tournament(entrants, audience)
    view = choose_view(audience)
    report = execute(plans[0], Workshop(settings[0], view, ask=choose_asker(view, settings[0].editor)))
    tell(report, audience)
    return report.exit_code


def stored(run_id: str, settings: Settings) -> SavedRun:
    """The run that is gone back in. Raises `ConfigurationError`."""
    address_of(settings).check()
    return runs_of(settings).saved(run_id)


def replay_plan(saved: SavedRun, at: str, settings: Settings, out: Path | None, *, force: bool) -> Plan:
    """What is to be done again. Raises `ConfigurationError`."""
    there = _taken(saved, at, settings)
    answered = Counter(asked(call) for call in saved.calls if call["standing"] == "answered")
    offset = {who: there.get(who, 0) - answered[who] for who in {*there, *answered}}
    plan = plan_of(saved, out, force=force)
    kept = {**plan.kept, "offset": json.dumps(offset)}
    return replace(plan, kept=kept, used=there, travel=Travel(saved.run_id, at))


def fork_plans(
    options: ForkOptions, saved: SavedRun, changes: Changes, every: Sequence[Choice], settings: Settings
) -> list[Plan]:
    """One plan for each choice. Raises `ConfigurationError` for a name that is taken, or a folder that is of no use."""
    base = check_name(options.thread) if options.thread is not None else new_run_id(saved.state["user_request"])
    there = _taken(saved, options.at, settings)
    origin = plan_of(saved, None, force=options.force)
    taken = set(runs_of(settings).names())
    taught = {name: text for name, text in origin.kept.items() if name == "lessons" and settings.lessons}
    plans = []
    for number, choice in enumerate(every, start=1):
        end = f"-{number}" if len(every) > 1 else ""
        run_id = f"{base[: MAX_NAME - len(end)]}{end}"
        if run_id in taken:
            raise ConfigurationError(f"There is a run called {run_id!r} already.", "Choose another name.")
        folder = options.out / run_id if options.out and end else options.out or Path("out") / run_id
        check_folder(folder, origin.module_name, force=options.force)
        counted = json.dumps(there)
        plans.append(
            replace(
                origin,
                run_id=run_id,
                request=str(changes.get("user_request", origin.request)),
                max_iterations=int(changes.get("max_iterations", origin.max_iterations)),
                developers=int(changes.get("developers", origin.developers)),
                folder=folder,
                started_at=datetime.now(UTC),
                transcript=None if options.models else origin.transcript,
                record=None,
                used=there,
                kept={**taught, **choice.notes, "before": counted, "offset": counted},
                travel=Travel(saved.run_id, options.at, changes, fork=True),
            )
        )
    return plans


def read_changes(given: Sequence[str]) -> dict[str, str | int]:
    """The new values that `--set` names. Raises `ConfigurationError`."""
    changes: dict[str, str | int] = {}
    for entry in given:
        key, sign, value = entry.partition("=")
        if not sign:
            raise ConfigurationError(f"--set {entry[:80]!r} does not say KEY=VALUE.")
        if key in changes:
            raise ConfigurationError(f"--set names {key[:80]!r} twice.")
        text = _read(Path(value[1:])) if value.startswith("@") else value
        changes[key] = int(text) if key in NUMBERS and _is_number(text.strip()) else text
    check_keys(changes)
    return changes


def _is_number(text: str) -> bool:
    """Whether it is one that Python reads: thousands of digits are none."""
    return text.isdecimal() and len(text) <= MAX_DIGITS


def _read(path: Path) -> str:
    try:
        with path.open(encoding="utf-8", newline="") as stream:
            text = stream.read(MAX_TEXT + 1)
    except OSError as error:
        raise ConfigurationError(f"--set: {path} cannot be read: {error.strerror or error}.") from None
    except UnicodeDecodeError:
        raise ConfigurationError(f"--set: {path} is not text in UTF-8.") from None
    return text.replace("\r\n", "\n")


def _taken(saved: SavedRun, at: str, settings: Settings) -> Counter[Any]:
    """Replies that each role had given until a step, those that a fork took over included."""
    there: Counter[Any] = Counter(json.loads(saved.notes.get("before", "{}")))
    there.update(runs_of(settings).replies_until(saved.run_id, at))
    return there
