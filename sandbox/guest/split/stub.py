"""`import solution` in the test process gives a stub; every use of it goes through the channel."""

import importlib.abc
import importlib.machinery
import socket
import sys
import types
from collections.abc import Sequence
from typing import Any

from .channel import Channel, ModuleDied, ModuleRaised
from .mirror import NUMBER, number_of

__all__ = ["Channel", "ModuleDied", "ModuleRaised", "install"]


class StubModule(types.ModuleType):
    """The stub: what is set on it is set on the module too."""

    def __getattr__(self, name: str) -> Any:
        channel = vars(self).get("_split_channel")
        if channel is None or (name.startswith("__") and name not in ("__getattr__", "__annotations__")):
            raise AttributeError(f"module {vars(self).get('__name__')!r} has no attribute {name!r}")
        return channel.request("get", self, name)

    def __setattr__(self, name: str, value: Any) -> None:
        channel = vars(self).get("_split_channel")
        if channel is not None and not name.startswith("__"):
            channel.notice(f"patched module attribute `{name}`")
            channel.request("set", self, name, value)
        super().__setattr__(name, value)

    def __delattr__(self, name: str) -> None:
        channel = vars(self).get("_split_channel")
        if channel is not None and not name.startswith("__"):
            channel.notice(f"patched module attribute `{name}`")
            channel.request("del", self, name)
        vars(self).pop(name, None)


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Answers `import` of the one module."""

    def __init__(self, channel: Channel) -> None:
        self.channel = channel
        self.loaded = False

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: types.ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """The module, and nothing else."""
        del path, target  # part of the protocol; the module is found by its name alone
        return importlib.machinery.ModuleSpec(name, self) if name == self.channel.name else None

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> types.ModuleType:
        """The stub, still empty."""
        return StubModule(spec.name)

    def exec_module(self, module: types.ModuleType) -> None:
        """Load the module in its process and take over its names."""
        if self.loaded:
            self.channel.notice("reload of the module")
        self.loaded = True
        try:
            there, names, _ = self.channel.request("load", self.channel.name)
        except SystemExit as error:
            raise ImportError(f"the module ended itself at import: SystemExit({error.code!r})") from None
        vars(module).update({name: value for name, value in names.items() if type(name) is str})
        vars(module)[NUMBER] = number_of(there)
        vars(module)["_split_kept"] = there
        vars(module)["_split_channel"] = self.channel


def install(control: socket.socket, module_name: str) -> Channel:
    """Have `import module_name` give the stub of the module behind `control`.

    The name may be set later (`Channel.name`), as long as it is known before the import.
    """
    channel = Channel(control, module_name)
    sys.meta_path.insert(0, Finder(channel))
    return channel
