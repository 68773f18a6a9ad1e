"""The table of sandbox backends: a new one is a file in this folder and a line here."""

from collections.abc import Callable
from importlib import import_module
from typing import cast

from sandbox.base import Sandbox
from sandbox.errors import UnknownBackend

BACKENDS: dict[str, str] = {
    "docker": "sandbox.docker:DockerSandbox",
    "subprocess": "sandbox.subprocess:SubprocessSandbox",
}


def open_sandbox(name: str, **options: object) -> Sandbox:
    """The backend called `name`; `options` go to it as they are. Raises `UnknownBackend`.

    Imported only now: the Docker client takes a fifth of a second.
    """
    if name not in BACKENDS:
        raise UnknownBackend(f"There is no sandbox backend {name!r}.", f"Choose one of: {', '.join(BACKENDS)}.")
    module, _, factory = BACKENDS[name].partition(":")
    return cast(Callable[..., Sandbox], getattr(import_module(module), factory))(**options)
