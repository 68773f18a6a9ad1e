"""Where the desk keeps things: its conversations beside the team's runs, and the shop's own database beside those."""

from pathlib import Path

from examples.support_desk.shop import Shop
from src.config import Settings
from src.runs.database import Address

HERE = Path(__file__).parent
SCRIPT = HERE / "script.jsonl"
"""Replies of the models, written by hand."""
CUSTOMER = HERE / "conversation.txt"
"""What the customer of the scripted conversation says, a message a line."""
PROGRAM = "examples.support_desk"
"""The module that the desk is started by."""


def address_of(settings: Settings) -> Address:
    """The database of conversations: `support_desk.sqlite` beside RUNS_PATH, or RUNS_URL."""
    url, key = settings.runs_url, settings.runs_key
    path = settings.runs_path.with_name("support_desk.sqlite")
    return Address(path, url.get_secret_value() if url else None, key.get_secret_value() if key else None)


def shop_of(settings: Settings) -> Shop:
    """The shop. Raises `ConfigurationError`."""
    return Shop(settings.runs_path.with_name("support_desk_shop.sqlite"))
