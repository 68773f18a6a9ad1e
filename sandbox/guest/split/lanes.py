"""One connection for each thread, so that several threads may be in the other process at the same time.

The first connection carries nothing but the ends of others. A thread that asks for the first time makes a pair of
sockets and sends one end over; a thread of the other side then serves it. Within one connection requests and replies
are strictly nested, so that no reply needs an address.
"""

import _thread
import os
import socket
import stat
import threading
from collections.abc import Callable

from .wire import MAX_BYTES, Malformed

MAX_LANES = 100
CHUNK = 1 << 16


class Lane:
    """One connection."""

    def __init__(self, connection: socket.socket) -> None:
        self.connection = connection
        self.buffer = b""

    def send(self, frame: bytes) -> None:
        """Send one frame. Raises OSError."""
        self.connection.sendall(frame)

    def receive(self) -> bytes:
        """The next frame. Raises EOFError, OSError, Malformed."""
        buffer = self.buffer
        while len(buffer) < 4:
            buffer += self._more()
        end = 4 + int.from_bytes(buffer[:4], "big")
        if end > MAX_BYTES + 4:
            raise Malformed("a message that is too large")
        if len(buffer) < end:
            parts, missing = [buffer], end - len(buffer)
            while missing > 0:
                parts.append(self._more())
                missing -= len(parts[-1])
            buffer = b"".join(parts)
        self.buffer = buffer[end:]
        return buffer[4:end]

    def ended(self) -> bool:
        """Wait for the next frame to begin; whether the other side closed the connection instead."""
        try:
            self.buffer = self.buffer or self._more()
        except (EOFError, OSError):
            return True
        return False

    def _more(self) -> bytes:
        chunk = self.connection.recv(CHUNK)
        if not chunk:
            raise EOFError
        return chunk

    def __del__(self) -> None:
        self.connection.close()


class Lanes:
    """The connection of each thread, and the door for those that the other side opens."""

    def __init__(self, control: socket.socket, serve: Callable[[Lane], None], closed: Callable[[], object]) -> None:
        self.control, self.serve, self.closed = control, serve, closed
        self.own = threading.local()
        self.opened = 0

    def mine(self) -> Lane:
        """The connection of this thread. Raises OSError."""
        lane: Lane | None = getattr(self.own, "lane", None)
        if lane is None:
            ours, theirs = socket.socketpair()
            lane = self.own.lane = Lane(ours)
            with theirs:
                socket.send_fds(self.control, [b"L"], [theirs.fileno()])
        return lane

    def accept(self) -> Lane | None:
        """The next connection that the other side opens; None when it is gone or sends anything else."""
        try:
            data, files, _, _ = socket.recv_fds(self.control, 1, 1)
        except OSError:
            return None
        if not data:
            return None
        if len(files) != 1 or not stat.S_ISSOCK(os.fstat(files[0]).st_mode) or self.opened >= MAX_LANES:
            for file in files:
                os.close(file)
            return None
        self.opened += 1
        return Lane(socket.socket(fileno=files[0]))

    def accept_always(self) -> None:
        """Serve each further connection in a thread that `threading` does not list."""
        _thread.start_new_thread(self._accept_all, ())

    def _accept_all(self) -> None:
        while (lane := self.accept()) is not None:
            _thread.start_new_thread(self.serve_in_this_thread, (lane,))
        self.closed()

    def serve_in_this_thread(self, lane: Lane) -> None:
        """Answer until the other side closes it. What is asked meanwhile goes over the same connection."""
        self.own.lane = lane
        try:
            self.serve(lane)
        finally:
            del self.own.lane
            self.opened -= 1
