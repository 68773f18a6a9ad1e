"""Who serves each role in a run: models, or a transcript in their place; recorded or not."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

from src.candidates import MAX_DEVELOPERS, called
from src.config import Settings
from src.context import RoleModel
from src.errors import ConfigurationError
from src.ledger import Embedder
from src.models import (
    Header,
    Recorder,
    Transcript,
    build_ladders,
    check_keys,
    describe_ladders,
    load_transcript,
    recording,
    replay_models,
)
from src.models.embedding import open_embedder
from src.models.tiers import Tier as Rung
from src.models.tiers import describe_fallback
from src.report import ReplaySource, Tier
from src.state import ROLES, Role


@dataclass(frozen=True)
class Crew:
    """The models of a run, and what is told about them."""

    models: Mapping[Role, RoleModel]
    """Who serves each role."""
    tiers: dict[Role, Tier]
    """The same, for people."""
    ladders: Mapping[Role, Sequence[RoleModel]] = field(default_factory=dict)
    """Who serves a role after its first model, where the settings name several."""
    replayed: ReplaySource | None = None
    """Set when no model is called."""
    embedder: Embedder | None = None
    """What finds lessons by their meaning, where the settings name a model for that."""


def assemble_crew(
    settings: Settings, transcript: Path | None, used: Mapping[str, int] | None, told: Callable[[str], None]
) -> Crew:
    """The models of a run; calls none.

    `used`: replies that were taken from the transcript before, `None` for a new run. `told` gets one line whenever a
    model lets us wait.

    Raises `ConfigurationError` for missing keys, wrong settings and a transcript that cannot be read.
    """
    if transcript is None:
        check_keys(settings)
        tiers = {role: _told(role, rungs, settings) for role, rungs in describe_ladders(settings).items()}
        ladders = build_ladders(settings, notice=lambda _role, line: told(line))
        first = {role: models[0] for role, models in ladders.items()}
        looks = settings.lessons and used is None  # lessons are looked for once, where a run begins
        embedder = open_embedder(settings, notice=lambda _role, line: told(line)) if looks else None
        return Crew(first, tiers, {role: models[1:] for role, models in ladders.items()}, embedder=embedder)
    script = load_transcript(transcript)
    source = ReplaySource(kind=script.header.kind, title=script.header.title)
    taken = _taken(script, used) if used is not None else None
    return Crew(replay_models(script, taken), {role: _replayed(script, role) for role in ROLES}, replayed=source)


def _taken(script: Transcript, used: Mapping[str, int]) -> dict[str, int]:
    """How many entries lie behind a run, by who answered."""
    everybody: list[tuple[Role, int]] = [(role, 0) for role in ROLES]
    everybody += [("developer", which) for which in range(1, MAX_DEVELOPERS + 1)]
    return {
        (name := called(role, which)): entries_taken(script, role, used.get(name, 0), which)
        for role, which in everybody
    }


def _told(role: Role, rungs: Sequence[Rung], settings: Settings) -> Tier:
    """A role's tier, as it is shown and reported."""
    instead = describe_fallback(role, settings)
    return Tier(
        provider=rungs[0].provider,
        model=rungs[0].model,
        thinking_level=rungs[0].thinking_level,
        ladder=[f"{tier.provider}:{tier.model}" for tier in rungs[1:]],
        fallback=f"{instead.provider}:{instead.model}" if instead else None,
    )


def entries_taken(script: Transcript, role: Role, replies: int, developer: int = 0) -> int:
    """How many entries of `role`, or of one of several developers, lie behind a run that got so many replies.

    The faults next to them count too: what stopped the run is not met again.
    """
    left = replies
    entries = script.entries_of(role, developer)
    for number, entry in enumerate(entries):
        if entry.error is None:
            if left == 0:
                return number
            left -= 1
    return len(entries)


def _replayed(script: Transcript, role: Role) -> Tier:
    answered = [entry.model for entry in script.entries_of(role) if entry.model]
    recorded = (script.header.models or {}).get(role)
    return Tier(provider="replay", model=recorded or (answered[0] if answered else script.header.kind))


def check_record(path: Path | None, transcript: Path | None, *, force: bool) -> None:
    """Refuse a recording that could not be made, before anything is spent. Raises `ConfigurationError`."""
    if path is None:
        return
    if transcript is not None:
        raise ConfigurationError(
            "--record has nothing to record: the replies come from a transcript.",
            "Add --prompt, or leave out --record.",
        )
    if path.is_dir():
        raise ConfigurationError(f"--record: {path} is a folder.", "Name a file.")
    if path.exists() and not force:
        raise ConfigurationError(f"--record: {path} is there already.", "Name another file, or add --force.")


@contextmanager
def recorded(
    crew: Crew, path: Path | None, request: str, module_name: str, *, go_on: bool, developers: int = 1
) -> Iterator[Crew]:
    """The same crew, with what it answers written to `path`. `go_on`: add to what a run that stopped has recorded."""
    if path is None:
        yield crew
    elif go_on and path.exists():
        drop_half_line(path)
        with path.open("a", encoding="utf-8", newline="\n") as stream:
            yield _heard(crew, Recorder(stream))
    else:
        path.unlink(missing_ok=True)  # it was asked for: `check_record` let it pass
        names = {role: f"{tier.provider}:{tier.model}" for role, tier in crew.tiers.items()}
        header = Header(
            kind="recorded",
            title=request.splitlines()[0][:80],
            request=request,
            module_name=module_name,
            created=datetime.now(UTC).isoformat(timespec="seconds"),
            models=names,
            developers=developers,
        )
        with recording(path, header) as recorder:
            yield _heard(crew, recorder)


def _heard(crew: Crew, recorder: Recorder) -> Crew:
    ladders = {role: [recorder.wrap({role: model})[role] for model in models] for role, models in crew.ladders.items()}
    return replace(crew, models=recorder.wrap(crew.models), ladders=ladders)


def drop_half_line(path: Path) -> None:
    """Cut off what a killed recording left of its last line."""
    content = path.read_bytes()
    whole = content[: content.rfind(b"\n") + 1]
    if len(whole) < len(content):
        with path.open("r+b") as stream:
            stream.truncate(len(whole))
