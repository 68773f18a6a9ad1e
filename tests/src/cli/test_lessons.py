"""`selfheal lessons`, by the real command."""

import json

from tests.chat_server import ChatServer
from tests.src.cli.conftest import ARCHITECT, PATCH, REVIEW, WRONG, Command


def test_what_a_run_has_repaired_is_listed_changed_and_forgotten(command: Command) -> None:
    replies = {"architect": [ARCHITECT], "developer": [WRONG], "debugger": [PATCH], "reviewer": [REVIEW]}
    with ChatServer(replies) as server:
        environment = server.environment(SECOND_READING="off")
        assert command("--prompt", "Answer.", "--thread", "first", "--quiet", **environment).returncode == 0
        assert command("--prompt", "Answer.", "--no-lessons", "--quiet", **environment).returncode == 0
        server.shutdown()
    (lesson,) = json.loads(command("lessons", "list", "--json").stdout)
    assert (lesson["cause"], lesson["run_id"], lesson["saw"]) == ("The answer was one too low.", "first", 0)
    changed = command("lessons", "edit", lesson["key"][:6], "--text", "Count \x1b[31mfrom one.")
    assert changed.returncode == 0, changed.stderr
    assert command("lessons", "list").stdout.endswith("Count from one.\n")
    assert command("lessons", "forget", lesson["key"]).returncode == 2
    (lesson,) = json.loads(command("lessons", "list", "--json").stdout)
    assert command("lessons", "forget", lesson["key"]).stdout == "Forgotten: Count from one.\n"
    assert json.loads(command("lessons", "list", "--json").stdout) == []
