"""A provider's exception -> one of our faults, and whether sending again may help.

Clients raise their own classes, those of their HTTP library and plain `ValueError`s; what they have in common is
looked at (status codes, class names, a response) so that no client needs to be imported here.
"""

import traceback
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

from src.models.faults import (
    AuthenticationFault,
    ContextFault,
    GarbageFault,
    ModelFault,
    NotFoundFault,
    PaymentFault,
    PermissionFault,
    RateLimitFault,
    RequestFault,
    ServerFault,
    UnreachableFault,
)

MAX_MESSAGE = 600
"""Characters of a provider's message that are shown."""

_BY_STATUS: dict[int, type[ModelFault]] = {
    401: AuthenticationFault,
    402: PaymentFault,
    403: PermissionFault,
    404: NotFoundFault,
    408: UnreachableFault,
    413: ContextFault,
    429: RateLimitFault,
}
_SENT_AGAIN = (408, 409, 425, 429)
_TOO_LONG = (
    "maximum context length",
    "context_length_exceeded",
    "context length",
    "context window",
    "exceeds the maximum number of tokens",
    "prompt is too long",
    "exceed_context_size",
)
_BAD_KEY = ("api key not valid", "api_key_invalid", "invalid api key", "incorrect api key", "api key expired")
_NO_MONEY = ("insufficient_quota", "insufficient credits", "credit balance is too low")


def fault_of(error: Exception, who: str, secrets: Sequence[str]) -> ModelFault:
    """Our fault for a provider's exception; `who` says whom it was asked of.

    The exception is chained, unless one of `secrets` stands in it: then a traceback would print that.
    """
    fault = _class_of(error)(f"{who}: {redact(_message(error), secrets)}", billed=billed(error))
    leaks = redact(whole := "".join(traceback.format_exception(error)), secrets) != whole
    fault.__cause__ = None if leaks else error
    return fault


def transient(error: BaseException) -> bool:
    """Whether the same request may succeed a little later."""
    if not isinstance(error, Exception) or _mentions(error, _NO_MONEY):
        return False
    status = status_of(error)
    if status is not None:
        return status in _SENT_AGAIN or status >= 500
    return _is_transport(error) or getattr(error, "is_retryable", None) is True


def billed(error: BaseException) -> bool:
    """Whether money may be asked for the request: it was sent, and no status says that it was refused.

    A provider that was cut off, or whose answer cannot be read, may have done all of its work.
    """
    never_sent = {"ConnectError", "ConnectTimeout", "PoolTimeout", "UnsupportedProtocol", "ConnectionRefusedError"}
    refused = any(not never_sent.isdisjoint(_class_names(link)) for link in _chain(error))
    return status_of(error) is None and not refused


def retry_after(error: BaseException) -> float | None:
    """Seconds that the provider asks to wait: the Retry-After header (seconds or a date), or Google's RetryInfo."""
    for link in _chain(error):
        headers = getattr(getattr(link, "response", None), "headers", None)
        if headers and (value := headers.get("retry-after")):
            return _seconds(value, headers.get("date"))
        for detail in _google_details(link):
            delay = detail.get("retryDelay")
            if isinstance(delay, str) and delay.endswith("s"):
                return _number(delay[:-1])
    return None


def status_of(error: BaseException) -> int | None:
    """The HTTP status of the answer, also where a server hides an error in an answer of status 200."""
    for link in _chain(error):
        hidden = link.args[0] if link.args and isinstance(link.args[0], dict) else {}
        for code in (getattr(link, "status_code", None), getattr(link, "code", None), hidden.get("code")):
            if isinstance(code, int) and 400 <= code < 600:
                return code
    return None


def redact(text: str, secrets: Sequence[str]) -> str:
    """`text` without the keys. Very short ones are placeholders for servers that ask for none."""
    for secret in secrets:
        if len(secret) >= 8:
            text = text.replace(secret, "***")
    return text


def _class_of(error: Exception) -> type[ModelFault]:
    status = status_of(error)
    by_text = _class_by_text(error, status)
    if by_text is not None:
        return by_text
    if status is not None:
        return _BY_STATUS.get(status, ServerFault if status >= 500 else RequestFault)
    if _is_transport(error):
        return UnreachableFault
    # The clients do not foresee answers of another shape: they fail while they read them.
    if isinstance(error, (ValueError, TypeError, LookupError, AttributeError)):
        return GarbageFault
    return ModelFault


def _class_by_text(error: Exception, status: int | None) -> type[ModelFault] | None:
    if any("ContextOverflow" in name for name in _class_names(error)):
        return ContextFault
    if status == 400 and _mentions(error, _TOO_LONG):
        return ContextFault
    if status == 400 and _mentions(error, _BAD_KEY):
        return AuthenticationFault
    return PaymentFault if status is not None and _mentions(error, _NO_MONEY) else None


def _is_transport(error: Exception) -> bool:
    # httpx, httpx2 and the clients built on them each have classes of these names.
    names = {"TransportError", "APIConnectionError", "APITimeoutError"}
    return isinstance(error, (TimeoutError, ConnectionError)) or not names.isdisjoint(_class_names(error))


def _class_names(error: BaseException) -> set[str]:
    return {kind.__name__ for kind in type(error).__mro__}


def _mentions(error: Exception, phrases: Sequence[str]) -> bool:
    text = f"{error} {getattr(error, 'code', '')}".lower()
    return any(phrase in text for phrase in phrases)


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    for _ in range(8):
        if error is None:
            return
        yield error
        error = error.__cause__ or error.__context__


def _message(error: Exception) -> str:
    texts = [text for link in _chain(error) if (text := _told(link))] or [str(error)]
    told = " ".join(texts[0].split()) or "no further explanation"
    if _is_transport(error):
        told = f"no answer ({type(error).__name__}: {told})"
    elif not any(_told(link) for link in _chain(error)) and status_of(error) is None:
        told = f"the answer cannot be read ({type(error).__name__}: {told})"
    return told if len(told) <= MAX_MESSAGE else told[:MAX_MESSAGE] + " …"


def _told(error: BaseException) -> str:
    """The message inside a structured error, free of the printed form of its dictionary."""
    hidden = error.args[0] if error.args and isinstance(error.args[0], dict) else None
    for body in (getattr(error, "details", None), getattr(error, "body", None), hidden):
        inner = body.get("error", body) if isinstance(body, dict) else body
        message = inner.get("message") if isinstance(inner, dict) else inner
        if isinstance(message, str) and message.strip():
            is_page = message.lstrip().startswith("<")
            return f"status {status_of(error)} and a web page in place of an explanation" if is_page else message
    return ""


def _google_details(error: BaseException) -> list[dict[str, Any]]:
    body = getattr(error, "details", None)
    inner = body.get("error") if isinstance(body, dict) else None
    details = inner.get("details") if isinstance(inner, dict) else None
    return [detail for detail in details if isinstance(detail, dict)] if isinstance(details, list) else []


def _seconds(value: str, sent: str | None) -> float | None:
    if (number := _number(value)) is not None:
        return number
    try:
        # Against the provider's own clock where it tells it: ours may be wrong.
        now = parsedate_to_datetime(sent) if sent else datetime.now(UTC)
        return max(0.0, (parsedate_to_datetime(value) - now).total_seconds())
    except (TypeError, ValueError):
        return None


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if 0 <= number < float("inf") else None
