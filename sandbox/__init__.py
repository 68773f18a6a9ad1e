"""Runs an untrusted pytest suite in a throwaway container and reports what was measured."""

from sandbox.backends import BACKENDS, open_sandbox
from sandbox.base import Job, Progress, Sandbox, is_module_name
from sandbox.errors import ContainerFailed, EngineUnavailable, ImageUnavailable, SandboxError, UnknownBackend
from sandbox.limits import Limits
from sandbox.report import Outcome, Status, StopReason, TestCounts, TestOutcome, TestReport

__all__ = [
    "BACKENDS",
    "ContainerFailed",
    "EngineUnavailable",
    "ImageUnavailable",
    "Job",
    "Limits",
    "Outcome",
    "Progress",
    "Sandbox",
    "SandboxError",
    "Status",
    "StopReason",
    "TestCounts",
    "TestOutcome",
    "TestReport",
    "UnknownBackend",
    "is_module_name",
    "open_sandbox",
]
