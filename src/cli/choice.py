"""Other models, levels and settings for one run: read from options, kept in its notes, and found there again."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any

from src.config import Settings, load_settings
from src.errors import ConfigurationError
from src.models.tiers import VARIABLES
from src.state import ROLES
from src.text import count

MAX_FORKS = 8
"""Forks side by side at most."""

Tiers = Mapping[str, Mapping[str, str]]
"""By role, what was chosen for it: `model`, `thinking_level`."""


@dataclass(frozen=True)
class Choice:
    """What one run has other than the settings say; never a secret."""

    tiers: Tiers = field(default_factory=dict)
    """Models and levels by role."""
    env: Path | None = None
    """A file of settings of its own."""

    @property
    def notes(self) -> dict[str, str]:
        """As it is kept beside a run."""
        notes = {"tiers": json.dumps(self.tiers, sort_keys=True)} if self.tiers else {}
        return notes | ({"env": str(self.env.absolute())} if self.env else {})

    @property
    def title(self) -> str:
        """In a few words, for a table."""
        return ", ".join(f"{role}={' '.join(chosen.values())}" for role, chosen in self.tiers.items())

    def settings(self, flags: Mapping[str, Any]) -> Settings:
        """The settings of this run. Raises `ConfigurationError` for a choice that no setting allows."""
        groups: dict[str, Any] = {}
        for role, chosen in self.tiers.items():
            # What was set for another model is not true of this one.
            anew = {"price": None, "fallback": None} if "model" in chosen and role != "reader" else {}
            groups[VARIABLES[role].lower()] = {**chosen, **anew}  # type: ignore[index]  # checked when it was read
        return load_settings(env_file=self.env, **groups, **flags)

    def beside(self, other: "Choice") -> "Choice":
        """This choice, and where it says nothing that of `other`."""
        roles = {**other.tiers, **self.tiers}
        tiers = {role: {**other.tiers.get(role, {}), **self.tiers.get(role, {})} for role in roles}
        return Choice(tiers, self.env or other.env)


def noted(notes: Mapping[str, str]) -> Choice:
    """The choice that is kept beside a run."""
    env = notes.get("env")
    return Choice(json.loads(notes.get("tiers", "{}")), Path(env) if env else None)


def choices(models: Sequence[str], levels: Sequence[str], env: Path | None) -> list[Choice]:
    """Every combination of what the options name. Raises `ConfigurationError`."""
    if env is not None and not env.is_file():
        raise ConfigurationError(f"--env: {env} is no file.")
    wanted = {**_by_role("--model", "model", models), **_by_role("--level", "thinking_level", levels)}
    many = [[(key, value) for value in values] for key, values in wanted.items()]
    number = 1
    for values in many:
        number *= len(values)
    if number > MAX_FORKS:
        raise ConfigurationError(
            f"These options combine to {count(number, 'fork')}; at most {MAX_FORKS} run side by side.",
            "Name fewer models, or fork one after the other.",
        )
    return [Choice(_grouped(one), env) for one in product(*many)]


def _grouped(chosen: Sequence[tuple[tuple[str, str], str]]) -> dict[str, dict[str, str]]:
    tiers: dict[str, dict[str, str]] = {}
    for (role, setting), value in chosen:
        tiers.setdefault(role, {})[setting] = value
    return tiers


def _by_role(option: str, setting: str, given: Sequence[str]) -> dict[tuple[str, str], list[str]]:
    found: dict[tuple[str, str], list[str]] = {}
    for entry in given:
        role, sign, value = entry.partition("=")
        if not sign or not value.strip() or role not in ROLES:
            raise ConfigurationError(
                f"{option} {entry[:80]!r} does not say ROLE={setting.upper().removesuffix('_LEVEL')}.",
                f"Roles are {', '.join(ROLES)}.",
            )
        values = found.setdefault((role, setting), [])
        if value.strip() not in values:
            values.append(value.strip())
    return found
