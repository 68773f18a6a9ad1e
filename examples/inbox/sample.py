"""The sample mailbox: copied to where it can be worked on when nothing is there yet."""

import shutil
from mailbox import Maildir, MaildirMessage
from pathlib import Path

SAMPLE = Path(__file__).with_name("sample")
SEEN = "0-"
"""How the file of a mail begins that was read before."""


def lay_out(folder: Path) -> None:
    """Make the sample mailbox in `folder`, unless a mailbox is there."""
    if (folder / "mail").exists():
        return
    half = folder / "mail.new"
    shutil.rmtree(half, ignore_errors=True)  # of a process that died here
    box = Maildir(half)
    for file in sorted((SAMPLE / "mail").glob("*.eml")):
        message = MaildirMessage(file.read_bytes())
        if file.name.startswith(SEEN):
            message.set_subdir("cur")
            message.add_flag("S")
        box.add(message)
    for name in ("contacts.json", "calendar.json"):
        shutil.copyfile(SAMPLE / name, folder / name)
    half.rename(folder / "mail")
