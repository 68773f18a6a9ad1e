"""Every graph of the house: the team's and those of the examples, with replies that nobody asks for."""

from collections.abc import Callable
from typing import Any

from examples.first_agent.approval import build_approval
from examples.first_agent.feedback import build_feedback
from examples.first_agent.loop import build_loop
from examples.inbox.graph import build_inbox
from examples.support_desk.graph import build_desk
from src.graph import build_graph
from src.models.scripted import ScriptedChat

SILENT = ScriptedChat(who="nobody", replies=())

GRAPHS: dict[str, Callable[[], Any]] = {
    "team": build_graph,
    "loop": lambda: build_loop(SILENT),
    "approval": lambda: build_approval(SILENT),
    "feedback": lambda: build_feedback(SILENT),
    "support_desk": build_desk,
    "inbox": build_inbox,
}
