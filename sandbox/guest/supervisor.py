"""The first process of the sandbox: places the files, watches the worker, tells the host what it saw.

    python3 -I -S supervisor.py JOB_DIR [--plain]

It starts as uid 0 with nothing but SETUID and SETGID. Before it reads a single byte from outside it starts the worker
under a second uid and becomes an unprivileged uid itself, so that no capability is left when untrusted code arrives
and the worker can neither signal it nor open its files. It imports neither pytest nor anything that a job brought.
When it exits, the kernel ends every other process of the container.

`--plain` is for a host without a container around it: no change of uid, no control groups, no watch on the disk.

To and from the host: a length of four bytes, then JSON (`{"ready"}`, the job, the result). From the worker: a pipe of
JSON lines, passed on unread, and a pipe with whatever is printed. Neither is ever waited on until its end, because a
process that the suite left behind may hold it open for ever.
"""

import json
import os
import signal
import sys
import time

TYPE_CHECKING = False  # for type checkers alone: importing typing would take longer than all the rest
if TYPE_CHECKING:
    from sandbox.guest.launch import PIPE_BYTES, Worker, become, write_all
    from sandbox.guest.tally import Tally
    from sandbox.guest.watch import Watch
else:
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    from launch import PIPE_BYTES, Worker, become, write_all
    from tally import Tally
    from watch import Watch

SUPERVISOR_UID = 10001


def main() -> None:
    """Serve one job, then exit."""
    job_dir, plain = sys.argv[1], "--plain" in sys.argv[2:]
    temporary = os.path.join(job_dir, "tmp") if plain else "/tmp"
    worker = Worker(job_dir, temporary, plain)
    if plain:
        signal.signal(signal.SIGTERM, lambda *_: _give_up(worker))
    else:
        become(SUPERVISOR_UID)
    if worker.await_parked():
        _send({"ready": True})
        _send(_run(worker, _receive(), job_dir, temporary))
    else:
        _send({"ready": False, "output": os.read(worker.output, PIPE_BYTES).decode("utf-8", "replace")})
    os._exit(0)


def _run(worker: Worker, job: dict[str, str], job_dir: str, temporary: str) -> dict[str, object]:
    began = time.monotonic()
    tally = Tally(worker.pid if worker.plain else None)
    for kind in ("module", "suite", "canary"):
        _place(job_dir, job[f"{kind}_file"], job[kind])
    watch = Watch(worker, float(job["seconds"]), int(job["output_bytes"]), [job_dir, temporary])
    worker.release({name: job[name] for name in ("run", "nonce", "file_bytes")})
    ended_by = watch.until_end()
    result: dict[str, object] = {
        "ended_by": ended_by,
        "wait_status": worker.wait_status,
        "report": watch.report.head.decode("utf-8", "replace"),
        "output_head": watch.output.head.decode("utf-8", "replace"),
        "output_tail": watch.output.tail.decode("utf-8", "replace"),
        "output_bytes": watch.output.total,
        "seconds": round(time.monotonic() - began, 4),
        **tally.measured(),
    }
    if worker.plain:
        worker.kill_group()
    return result


def _give_up(worker: Worker) -> None:
    worker.kill_group()
    os._exit(1)


def _place(job_dir: str, name: str, text: str) -> None:
    path = os.path.join(job_dir, os.path.basename(name))
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o444)
    write_all(file, text.encode("utf-8", "replace"))
    os.close(file)


def _receive() -> dict[str, str]:
    length = int.from_bytes(_read_exactly(4), "big")
    message: dict[str, str] = json.loads(_read_exactly(length))
    return message


def _read_exactly(count: int) -> bytes:
    data = b""
    while len(data) < count:
        chunk = os.read(0, count - len(data))
        if not chunk:
            os._exit(2)  # the host went away: nobody is left to tell
        data += chunk
    return data


def _send(message: dict[str, object]) -> None:
    data = json.dumps(message, ensure_ascii=False).encode("utf-8", "replace")
    write_all(1, len(data).to_bytes(4, "big") + data)


main()
