"""Runs an untrusted pytest suite in a throwaway container and reports what was measured."""

from sandbox.backends import BACKENDS, open_sandbox
from sandbox.base import Job, Progress, Sandbox, is_module_name
from sandbox.errors import ContainerFailed, EngineUnavailable, ImageUnavailable, SandboxError, UnknownBackend
from sandbox.failure import indented, shorten
from sandbox.limits import Limits
from sandbox.report import (
    Comparison,
    Isolation,
    Leftovers,
    ModuleFrame,
    Outcome,
    Resources,
    Status,
    StopReason,
    TestCounts,
    TestOutcome,
    TestReport,
)

__all__ = [
    "BACKENDS",
    "Comparison",
    "ContainerFailed",
    "EngineUnavailable",
    "ImageUnavailable",
    "Isolation",
    "Job",
    "Leftovers",
    "Limits",
    "ModuleFrame",
    "Outcome",
    "Progress",
    "Resources",
    "Sandbox",
    "SandboxError",
    "Status",
    "StopReason",
    "TestCounts",
    "TestOutcome",
    "TestReport",
    "UnknownBackend",
    "indented",
    "is_module_name",
    "open_sandbox",
    "shorten",
]
