"""A reply as clean text: bounded, with one kind of line end, without the model's thinking."""

import re

from src.parsing.errors import FormatError
from src.reply import Reply

MAX_RAW = 2_000_000
"""Longest reply that is looked at, thinking included, in characters."""
MAX_CHARACTERS = 200_000
"""Longest answer that is read, thinking left out, in characters: about 50,000 tokens."""
MAX_LINES = 20_000
"""Most lines of an answer."""

_TOO_LONG = f"The reply is longer than {MAX_CHARACTERS} characters or {MAX_LINES} lines. Send only what was asked for."
_MAX_STRAYS = 20

_THINKING = r"think|thinking|thoughts?|reasoning|reflection|scratchpad|analysis|planning|inner_monologue|antthinking"
_OPENING = re.compile(rf"[ \t]*(?:<\|?|◁|\[(?=think))(?:\w+:)?(?:{_THINKING})\b[^<>\n\]▷]*(?:\|?>|▷|\])", re.I)
_CLOSING = re.compile(rf"(?:<\|?/|◁/|\[/(?=think))(?:\w+:)?(?:{_THINKING})\s*(?:\|?>|▷|\])", re.I)
_NEVER_LEFT = re.compile(r"[ \t]*(?:<\|?|◁|\[)(?:\w+:)?think(?:ing)?\b", re.I)
_FINAL_CHANNEL = re.compile(r"<\|channel\|>\s*final\b[^<\n]*<\|message\|>", re.I)
_ANY_CHANNEL = re.compile(r"\A\s*(?:<\|start\|>\w*)?<\|channel\|>", re.I)
_END_TOKEN = re.compile(r"(?:<\|[\w-]{1,40}\|>|</s>|<end_of_turn>)\Z")
_FENCE = re.compile(r"\s*(?:```|~~~)")
_HIDDEN_BEFORE_FENCE = re.compile(r"^[\u200b\u200c\u200d\u2060\ufeff\u00a0]+(?=[ ]*(?:```|~~~))", re.M)


def prepared(reply: Reply) -> str:
    """The answer part of a reply, ready to be read as Markdown; raises `FormatError` when there is none."""
    if reply.finish == "blocked":
        raise FormatError("blocked", "The reply was withheld by a safety filter. Answer again, with the code only.")
    if reply.finish == "truncated":
        raise FormatError(
            "truncated", "The reply was cut off at the length limit. Send the whole answer again, in fewer words."
        )
    return answer(reply.text)


def answer(text: str) -> str:
    """`text` without thinking and with plain line ends; raises `FormatError` when nothing is left or it is too long."""
    if len(text) > MAX_RAW:
        raise FormatError("too_long", _TOO_LONG)
    clean = text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "").lstrip("\ufeff")
    # Half a surrogate pair can be neither parsed nor written to a file.
    clean = clean.encode("utf-8", "replace").decode("utf-8")
    if not clean.strip("\ufeff\u200b \t\n\f\v\u00a0"):
        raise FormatError("empty", "The reply was empty. Send the answer in the format that was asked for.")
    visible = without_thinking(_HIDDEN_BEFORE_FENCE.sub("", clean))
    if not visible.strip():
        raise FormatError("empty", "The reply held nothing but thinking. Send the answer itself, after the thinking.")
    if len(visible) > MAX_CHARACTERS or visible.count("\n") > MAX_LINES:
        raise FormatError("too_long", _TOO_LONG)
    return visible.strip("\n") + "\n"


def without_thinking(text: str) -> str:
    """`text` without the parts in which the model speaks to itself."""
    finals = list(_FINAL_CHANNEL.finditer(text))
    if finals:
        text = text[finals[-1].end() :]
    elif _ANY_CHANNEL.match(text):
        return ""
    return _after_stray_close(_without_elements(_without_end_tokens(text)))


def _without_end_tokens(text: str) -> str:
    text = text.rstrip()
    for _ in range(_MAX_STRAYS):
        token = _END_TOKEN.search(text, max(0, len(text) - 50))
        if token is None:
            break
        text = text[: token.start()].rstrip()
    return text + "\n"


def _without_elements(text: str) -> str:
    kept: list[str] = []
    position, in_fence = 0, False
    while position < len(text):
        end = text.find("\n", position)
        end = len(text) if end < 0 else end + 1
        opening = None if in_fence else _OPENING.match(text, position, end)
        if opening is not None:
            closing = _CLOSING.search(text, opening.end())
            if closing is not None:
                position = closing.end()
                continue
            if _NEVER_LEFT.match(opening.group()):
                break
        line = text[position:end]
        in_fence ^= _FENCE.match(line) is not None
        kept.append(line)
        position = end
    return "".join(kept)


def _after_stray_close(text: str) -> str:
    """Drop what stands before a closing tag that was never opened: the template of some models eats the opening one."""
    for closing in reversed(list(_CLOSING.finditer(text))[-_MAX_STRAYS:]):
        start = text.rfind("\n", 0, closing.start()) + 1
        end = text.find("\n", closing.end())
        end = len(text) if end < 0 else end
        alone_left = not text[start : closing.start()].strip()
        alone_right = not text[closing.end() : end].strip()
        if (alone_left or alone_right) and _outside_code(text, closing.start(), closing.end()):
            return text[closing.end() :]
    return text


def _outside_code(text: str, start: int, end: int) -> bool:
    fences = sum(1 for line in text[:start].split("\n") if _FENCE.match(line))
    return fences % 2 == 0 or "\n```p" in text[end:].lower()
