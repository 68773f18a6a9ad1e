"""The text of a review."""

from src.parsing.errors import FormatError
from src.parsing.sections import opened
from src.parsing.text import answer
from src.reply import Reply
from src.text import clean

MAX_REVIEW = 8_000
"""Longest review that is kept, in characters."""

MAX_READ = 100_000
"""How much of a reply is looked at, in characters."""


def parse_review(reply: Reply) -> str:
    """The review as bounded plain text; raises `FormatError` when it is empty or was withheld.

    A review that was cut at the length limit is kept and ends in an ellipsis: nothing is decided by it.
    """
    if reply.finish == "blocked":
        raise FormatError("blocked", "The reply was withheld by a safety filter. Write the review again.")
    text = clean(opened(answer(reply.text[:MAX_READ]))).strip()
    if not text:
        raise FormatError("empty", "The review was empty. Write it again.")
    cut = reply.finish == "truncated" or len(text) > MAX_REVIEW
    return text[:MAX_REVIEW].rstrip() + (" …" if cut else "")
