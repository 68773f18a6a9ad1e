"""What the module's process may do to objects of the tests. Nothing here leads from such an object to pytest.

It may call what it was handed, use the operators, read and set attributes that are public, and no more: no frames, no
code, no globals, no modules, nothing that Python keeps behind double underscores.
"""

import types
from typing import Any

from .mirror import SPECIALS
from .names import words

CLOSED = (
    types.ModuleType,
    types.FrameType,
    types.CodeType,
    types.TracebackType,
    types.GetSetDescriptorType,
    types.MemberDescriptorType,
    types.WrapperDescriptorType,
)
"""Objects of which the module may not even hold a handle."""
DESCRIPTIVE = frozenset({"__name__", "__qualname__", "__doc__", "__module__", "__dataclass_fields__", "__match_args__"})
LEADING = frozenset(
    words("gi_frame gi_code gi_yieldfrom cr_frame cr_code cr_await cr_origin ag_frame ag_code ag_await")
)
LEADING_TOO = frozenset(words("tb_frame tb_next f_globals f_locals f_builtins f_back f_code with_traceback mro func"))
FUNCTIONS = (types.FunctionType, types.MethodType, types.BuiltinFunctionType, types.MethodWrapperType)
DEEDS_ALLOWED = frozenset({"iter", "len", "getitem", "contains", "copy", "deepcopy", "signature", "plain", "dir"})


class Refused(PermissionError):
    """The module asked for something of a test's object that it may not have."""


def check_read(target: Any, name: object) -> None:
    """Whether attribute `name` of a test's object may be read. Raises Refused."""
    if type(name) is not str or name in LEADING or name in LEADING_TOO:
        raise Refused(f"attribute {str(name)[:60]!r} of an object of the tests")
    if name.startswith("__") and name not in DESCRIPTIVE:
        raise Refused(f"attribute {name[:60]!r} of an object of the tests")
    if isinstance(target, FUNCTIONS) and name not in DESCRIPTIVE and name not in getattr(target, "__dict__", {}):
        raise AttributeError(f"function object has no attribute {name[:60]!r}")


def check_write(target: Any, name: object) -> None:
    """Whether it may be set or deleted. Raises Refused."""
    if type(name) is not str or name.startswith("__") or isinstance(target, (type, *FUNCTIONS)):
        raise Refused(f"a change of {str(name)[:60]!r} of an object of the tests")


def check_method(name: object) -> None:
    """Whether a method may be called by this name. Raises Refused."""
    if type(name) is not str or (name.startswith("__") and name not in SPECIALS) or name in LEADING_TOO:
        raise Refused(f"method {str(name)[:60]!r} of an object of the tests")


def check_deed(name: object, target: Any) -> None:
    """Whether this may be done to it. Raises Refused."""
    if name == "vars" and not isinstance(target, type):
        return
    if name not in DEEDS_ALLOWED:
        raise Refused(f"{str(name)[:60]!r} of an object of the tests")
