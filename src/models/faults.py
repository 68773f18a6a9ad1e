"""What can go wrong between us and a provider: one class per kind, each with what to do about it."""

from typing import ClassVar

from src.errors import ProviderError


class ModelFault(ProviderError):
    """A call to a model that failed for good. `kind` is its name in a transcript."""

    kind: ClassVar[str] = "other"
    advice: ClassVar[str] = "Look at the provider's message; another model can be set as provider:model."

    def __init__(self, message: str, remedy: str = "", *, billed: bool = False) -> None:
        super().__init__(message, remedy or self.advice)
        self.billed = billed


class AuthenticationFault(ModelFault):
    """The key is not accepted."""

    kind = "authentication"
    advice = "Check the key: is it whole, still valid, and meant for this provider?"


class PermissionFault(ModelFault):
    """The key is accepted, but not for this."""

    kind = "permission"
    advice = "Check what the key may use: the model, the region, and the account's settings."


class PaymentFault(ModelFault):
    """The account has no money left."""

    kind = "payment"
    advice = "Add credit to the account, or set a model of another provider."


class RateLimitFault(ModelFault):
    """Too many requests or tokens for now, or a quota that is used up."""

    kind = "rate_limit"
    advice = "Wait a while, raise the quota, or set another model; MODEL_ATTEMPTS says how often a call is sent."


class NotFoundFault(ModelFault):
    """The provider has no such model."""

    kind = "not_found"
    advice = "Check the spelling of the model, and that this provider serves it."


class ContextFault(ModelFault):
    """What was sent is longer than the model can read."""

    kind = "context_too_long"
    advice = "Shorten the request, or set a model that reads more."


class RequestFault(ModelFault):
    """The provider does not accept the request as it is."""

    kind = "bad_request"
    advice = "Check that the model knows its thinking level, its temperature and its MAX_TOKENS."


class UnreachableFault(ModelFault):
    """No answer: refused, cut off or silent for too long."""

    kind = "unreachable"
    advice = "Check the network and the address; MODEL_TIMEOUT says for how many seconds a provider may stay silent."


class ServerFault(ModelFault):
    """The provider has trouble of its own."""

    kind = "server"
    advice = "Try again later, or set a model of another provider."


class GarbageFault(ModelFault):
    """What came back is not a reply."""

    kind = "garbage"
    advice = "Check that the address is a model server's and that no proxy stands in between."


FAULTS: dict[str, type[ModelFault]] = {
    fault.kind: fault
    for fault in (
        ModelFault,
        AuthenticationFault,
        PermissionFault,
        PaymentFault,
        RateLimitFault,
        NotFoundFault,
        ContextFault,
        RequestFault,
        UnreachableFault,
        ServerFault,
        GarbageFault,
    )
}
"""Every kind by its name."""
