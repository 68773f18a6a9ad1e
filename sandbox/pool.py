"""Containers that are parked ahead of their jobs, so that no run waits until one is made.

Containers are made and removed in threads of the pool alone, so that an interrupt meets only whoever waits for them.
"""

import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Any, Self, overload

from sandbox.container import Container, Mode
from sandbox.errors import SandboxError
from sandbox.limits import Limits

HANDS = 8
"""Containers that are made or removed at once; the engine takes no more in a longer time."""
SHAPES_PARKED = 3
"""Shapes of which containers are kept parked: those that were asked for last."""
MAX_AGE_SECONDS = 600.0


@dataclass(frozen=True)
class Shape:
    """What is fixed when a container is made, and so decides which jobs it can serve."""

    memory_mb: int
    processes: int
    cpus: float
    disk_mb: int
    mode: Mode = "one"
    """What its guest is made for."""

    @classmethod
    def of(cls, limits: Limits, mode: Mode = "one") -> Self:
        """The shape that jobs with `limits` need."""
        return cls(limits.memory_mb, limits.processes, limits.cpus, limits.disk_mb, mode)

    @property
    def limits(self) -> Limits:
        """Limits that have this shape."""
        return Limits(memory_mb=self.memory_mb, processes=self.processes, cpus=self.cpus, disk_mb=self.disk_mb)


class Pool:
    """Keeps `size` containers of each shape parked. Usable from several threads at once.

    Idle, it does nothing but replace, now and then, what has become old.
    """

    def __init__(self, make: Callable[[Shape, str], Container], size: int, max_age: float = MAX_AGE_SECONDS) -> None:
        """`make`: given a shape and a run, returns a container that waits for its job, or leaves nothing and raises.
        A container that is made ahead is not yet that of any run.

        `max_age`: seconds after which a parked container is replaced.
        """
        self._make = make
        self._size = size
        self._max_age = max_age
        self._lock = threading.RLock()
        self._parked: OrderedDict[Shape, deque[Future[Container]]] = OrderedDict()
        self._taken: set[Container] = set()
        self._work: set[Future[Any]] = set()
        self._hands = ThreadPoolExecutor(HANDS, "sandbox-pool")
        self._closed = threading.Event()
        self._keeper = threading.Thread(target=self._keep, name="sandbox-pool-keeper", daemon=True)

    def park(self, shape: Shape) -> None:
        """See that containers of `shape` are parked, in the background."""
        with self._lock:
            if self._closed.is_set() or not self._size:
                return
            waiting = self._parked.setdefault(shape, deque())
            self._parked.move_to_end(shape)
            while len(waiting) < (self._size if shape.mode == "one" else 1):
                waiting.append(self._begin(shape))
            while len(self._parked) > SHAPES_PARKED:
                for coming in self._parked.popitem(last=False)[1]:
                    self._drop(coming)
            if not self._keeper.is_alive():
                self._keeper.start()

    def take(self, shape: Shape, run_id: str = "") -> Container:
        """A container for one user, who discards it afterwards: a parked one, or one that is made now for `run_id`.

        Raises what making it raises; a parked one that failed or died is passed over.
        """
        while True:
            with self._lock:
                if self._closed.is_set():
                    raise SandboxError("This sandbox was closed.")
                parked = self._next_parked(shape)
                coming = parked or self._begin(shape, run_id)
            try:
                container = coming.result()
            except SandboxError:
                if parked is None:
                    raise
                continue
            except BaseException:  # an interrupt while we wait: it is nobody's
                self._drop(coming)
                raise
            with self._lock:
                self._taken.add(container)
                closed = self._closed.is_set()
            if not closed and (parked is None or container.waits):
                return container
            self._discard(container)  # once closed, the next turn says so

    def take_parked(self, shape: Shape) -> Container | None:
        """A container that waits for its job already; `None` when there is none, and nothing is waited for."""
        with self._lock:
            coming = next((coming for coming in self._parked.get(shape, ()) if coming.done()), None)
            if coming is None or self._closed.is_set():
                return None
            self._parked[shape].remove(coming)
            if coming.cancelled() or coming.exception() is not None:
                return None
            container = coming.result()
            self._taken.add(container)
        if container.waits:
            return container
        self._discard(container)
        return None

    def discard(self, container: Container, shape: Shape) -> None:
        """Remove a container that was taken, and park another one in its place, both in the background."""
        self._discard(container)
        self.park(shape)

    def settle(self) -> None:
        """Wait until nothing is being made or removed."""
        while True:
            with self._lock:
                work = set(self._work)
            if not work:
                return
            wait(work)

    def close(self) -> None:
        """Remove every container, those that are in use included, and wait until they are gone."""
        self._closed.set()
        with self._lock:
            for waiting in self._parked.values():
                for coming in waiting:
                    self._drop(coming)
            self._parked.clear()
            for container in list(self._taken):
                container.hang_up()
                self._discard(container)
        self.settle()
        self._hands.shutdown()

    def _next_parked(self, shape: Shape) -> Future[Container] | None:
        waiting = self._parked.get(shape)
        if not waiting:
            return None
        ready = next((coming for coming in waiting if coming.done()), waiting[0])
        waiting.remove(ready)
        return ready

    def _begin(self, shape: Shape, run_id: str = "") -> Future[Container]:
        return self._do(self._make, shape, run_id)

    def _do(self, act: Callable[..., Any], *arguments: object) -> Future[Any]:
        with self._lock:
            work = self._hands.submit(act, *arguments)
            self._work.add(work)
        work.add_done_callback(self._done)
        return work

    def _done(self, work: Future[Any]) -> None:
        with self._lock:
            self._work.discard(work)

    def _discard(self, container: Container) -> None:
        with self._lock:
            if container not in self._taken:  # closing took it out of its user's hands
                return
            self._taken.remove(container)
        self._clear(Container.remove, container)

    def _drop(self, coming: Future[Container]) -> None:
        if not coming.cancel():
            self._clear(_remove_made, coming)

    def _clear(self, remove: Callable[..., None], what: object) -> None:
        """Remove it in the background; here, when another thread has closed the pool and the background is gone."""
        try:
            self._do(remove, what)
        except RuntimeError:  # the executor's word for it
            remove(what)

    def _keep(self) -> None:
        while not self._closed.wait(self._max_age / 10):
            with self._lock:
                for shape, waiting in list(self._parked.items()):
                    for coming in [coming for coming in waiting if self._is_old(coming)]:
                        waiting.remove(coming)
                        self._drop(coming)
                    self.park(shape)

    def _is_old(self, coming: Future[Container]) -> bool:
        if not coming.done():
            return False
        return coming.exception() is not None or time.monotonic() - coming.result().born > self._max_age


def _remove_made(coming: Future[Container]) -> None:
    if coming.exception() is None:
        coming.result().remove()


class Taking:
    """A container that one user takes when it needs it and gives up in the end."""

    def __init__(self, pool: Pool, shape: Shape, run_id: str) -> None:
        self._pool = pool
        self._shape = shape
        self._run_id = run_id
        self._container: Container | None = None

    @overload
    def __call__(self) -> Container: ...

    @overload
    def __call__(self, *, parked_only: bool) -> Container | None: ...

    def __call__(self, *, parked_only: bool = False) -> Container | None:
        """The container; with `parked_only` one that is parked already, or none."""
        take = self._pool.take_parked(self._shape) if parked_only else self._pool.take(self._shape, self._run_id)
        self._container = take
        return take

    def give_up(self) -> None:
        """Have it removed and another one parked in its place, both in the background."""
        if self._container is not None:
            self._pool.discard(self._container, self._shape)
        else:
            self._pool.park(self._shape)
