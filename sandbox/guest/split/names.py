"""Classes of Python itself that both sides have: they travel by name, so that `ValueError` is `ValueError`.

The list is closed: whatever name the other process sends, nothing outside it is ever looked up.
"""

import builtins
import importlib
import sys

OTHERS = {
    "abc": ("ABC",),
    "asyncio": ("CancelledError", "QueueEmpty", "QueueFull", "InvalidStateError", "IncompleteReadError"),
    "binascii": ("Error", "Incomplete"),
    "collections": ("OrderedDict", "Counter", "defaultdict", "deque", "ChainMap", "UserDict", "UserList"),
    "concurrent.futures": ("BrokenExecutor", "InvalidStateError"),
    "configparser": ("Error", "NoSectionError", "NoOptionError", "ParsingError", "DuplicateSectionError"),
    "csv": ("Error",),
    "dataclasses": ("FrozenInstanceError", "_MISSING_TYPE"),
    "datetime": ("date", "datetime", "time", "timedelta", "timezone"),
    "decimal": ("Decimal", "DecimalException", "InvalidOperation", "DivisionByZero", "Overflow", "Inexact"),
    "enum": ("Enum", "IntEnum", "Flag", "IntFlag", "StrEnum"),
    "fractions": ("Fraction",),
    "inspect": ("_empty",),
    "io": ("UnsupportedOperation", "StringIO", "BytesIO"),
    "ipaddress": ("AddressValueError", "NetmaskValueError"),
    "json": ("JSONDecodeError",),
    "pathlib": ("PurePath", "Path", "PurePosixPath", "PosixPath"),
    "queue": ("Empty", "Full"),
    "re": ("error",),
    "sqlite3": ("Error", "IntegrityError", "OperationalError", "DatabaseError"),
    "statistics": ("StatisticsError",),
    "string": ("Template",),
    "struct": ("error",),
    "subprocess": ("CalledProcessError", "TimeoutExpired"),
    "threading": ("BrokenBarrierError",),
    "types": ("NoneType",),
    "uuid": ("UUID",),
    "zoneinfo": ("ZoneInfoNotFoundError",),
}
MODULES = sys.stdlib_module_names - {"antigravity", "this", "idlelib", "__main__"}
"""Modules that each side has for itself."""
BUILTIN = {name: kind for name, kind in vars(builtins).items() if isinstance(kind, type) and name != "__loader__"}
KNOWN = {*BUILTIN, *(f"{module}.{name}" for module, names in OTHERS.items() for name in names)}
_names: dict[type, str | None] = {kind: name for name, kind in reversed(BUILTIN.items())}


def words(text: str) -> list[str]:
    """A list of names, written as one line."""
    return text.split()


def class_named(name: str) -> type | None:
    """The class that both sides know by `name`."""
    if name not in KNOWN:
        return None
    if name in BUILTIN:
        return BUILTIN[name]
    module, _, attribute = name.rpartition(".")
    found = getattr(importlib.import_module(module), attribute, None)
    return found if isinstance(found, type) else None


def name_of_class(kind: type) -> str | None:
    """Its name for the other side, or None when it is not one of Python's own that are listed."""
    if kind not in _names:
        _names[kind] = next((name for name in _candidates(kind) if class_named(name) is kind), None)
    return _names[kind]


def _candidates(kind: type) -> list[str]:
    module, name = type.__getattribute__(kind, "__module__"), type.__getattribute__(kind, "__name__")
    if module == "__main__" or not isinstance(module, str):
        return []
    places = [place for place in OTHERS if place in (module, module.strip("_"), module.rpartition(".")[0])]
    return [f"{place}.{name}" for place in places]
