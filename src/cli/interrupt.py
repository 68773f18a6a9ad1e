"""Ctrl-C and SIGTERM: the first one stops the run, the next ones must not stop the clearing away."""

import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from types import FrameType

_SIGNALS = (signal.SIGINT, signal.SIGTERM)
_PATIENCE = b"\nClearing away first ...\n"


@contextmanager
def stoppable() -> Iterator["Future[None]"]:
    """Within this, the first signal raises `KeyboardInterrupt` and later ones only say that cleaning up goes on.

    What it gives is done once the first signal has come: a thread that waits for something can wait for that as well.
    A second `KeyboardInterrupt` would end the clean-up that the first one began and could leave a container.
    """
    interrupted: Future[None] = Future()
    if threading.current_thread() is not threading.main_thread():  # only the main thread gets signals
        yield interrupted
        return
    asked = False

    def stop(_number: int, _frame: FrameType | None) -> None:
        nonlocal asked
        if asked:
            os.write(2, _PATIENCE)
            return
        asked = True
        interrupted.set_result(None)
        raise KeyboardInterrupt

    before = {number: signal.signal(number, stop) for number in _SIGNALS}
    try:
        yield interrupted
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
