"""What can go wrong on our side; a failing suite is never one of these (it is a `TestReport`)."""


class SandboxError(Exception):
    """The sandbox itself could not give a verdict.

    `message` says what happened, `remedy` what a person can do about it.
    """

    def __init__(self, message: str, remedy: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy

    def __str__(self) -> str:
        return f"{self.message}\n{self.remedy}" if self.remedy else self.message


class EngineUnavailable(SandboxError):
    """No container engine answers."""


class ImageUnavailable(SandboxError):
    """The image that generated code runs in is missing and could not be built."""


class ContainerFailed(SandboxError):
    """A container could not be made, or died in a way that the code inside cannot cause."""


class UnknownBackend(SandboxError):
    """A sandbox backend was asked for by a name that the table does not hold."""
