"""The prompts: Markdown templates in `prompts/`, one per role, rendered with Jinja2."""

from functools import cache
from itertools import groupby
from typing import TYPE_CHECKING, Any, Literal

from src.config import PROJECT_ROOT
from src.state import Message, Role

if TYPE_CHECKING:
    from jinja2 import Environment

PROMPTS = PROJECT_ROOT / "prompts"


Template = Role | Literal["dispute", "rewrite"]
"""What a role is asked for; a dispute is the architect's second task, a rewrite the debugger's."""


def conversation(template: Template, **variables: Any) -> list[Message]:
    """What a role is told first: the fixed part as system message, then what this call is about.

    Raises `jinja2.UndefinedError` when the template wants a variable that is not given.
    """
    return [("system", _block(template, "system", variables)), ("human", _block(template, "human", variables))]


def correction(reasons: list[str]) -> Message:
    """What an author is told after a gate refused its reply."""
    return ("human", _block("correction", "human", {"reasons": reasons}))


def fenced(text: str, language: str = "") -> str:
    """Put `text` into a Markdown fence that nothing inside can close."""
    longest = max((len(list(run)) for mark, run in groupby(text) if mark == "`"), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text.rstrip()}\n{fence}"


def _block(template: str, block: str, variables: dict[str, Any]) -> str:
    loaded = _environment().get_template(f"{template}.md")
    return "".join(loaded.blocks[block](loaded.new_context(variables))).strip()


@cache
def _environment() -> "Environment":
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(PROMPTS),
        undefined=StrictUndefined,
        autoescape=False,  # prompts are text, not HTML
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["fenced"] = fenced
    return environment
