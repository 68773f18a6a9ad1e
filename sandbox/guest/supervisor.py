"""The first process of the sandbox: places the files, watches the worker, tells the host what it saw.

    python3 -I -S supervisor.py JOB_DIR [--plain | --many | --split]

It starts as uid 0 with nothing but SETUID and SETGID. Before it reads a single byte from outside it starts the worker
under a second uid and becomes an unprivileged uid itself, so that no capability is left when untrusted code arrives
and the worker can neither signal it nor open its files. It imports neither pytest nor anything that a job brought.
When it exits, the kernel ends every other process of the container.

`--plain` is for a host without a container around it: no change of uid, no control groups, no watch on the disk.
`--split` starts a third process under a third uid, in which the module lives apart from the suite (split/).
`--many` serves job after job, each in a child of its own; launch.py and parking.py tell how they are kept apart.

To and from the host: a length of four bytes, then JSON (`{"ready"}`, the job, the result). From the worker: a pipe of
JSON lines, passed on unread, and a pipe with whatever is printed. Neither is ever waited on until its end, because a
process that the suite left behind may hold it open for ever.
"""

import base64
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
FOR_THE_WORKER = (
    "run",
    "canary",
    "module_file",
    "suite_file",
    "nonce",
    "file_bytes",
    "hash_seed",
    "order_seed",
    "markers",
    "rewrite",
)
REWRITTEN_FOLDER = "__pycache__"


def main() -> None:
    """Serve one job, or many of them, then exit."""
    job_dir, flags = sys.argv[1], sys.argv[2:]
    plain, many, split = "--plain" in flags, "--many" in flags, "--split" in flags
    temporary = os.path.join(job_dir, "tmp") if plain else "/tmp"
    worker = Worker(job_dir, temporary, plain, many, split)
    if plain:
        signal.signal(signal.SIGTERM, lambda *_: _give_up(worker))
    else:
        become(SUPERVISOR_UID)
    if not (worker.await_serving() if many else worker.await_parked()):
        _send({"ready": False, "output": os.read(worker.output, PIPE_BYTES).decode("utf-8", "replace")})
    elif many:
        _serve(worker, job_dir, temporary)
    else:
        _send(_served(worker, job_dir, temporary))
    os._exit(0)


def _serve(worker: Worker, job_dir: str, temporary: str) -> None:
    """Job after job, until the host goes away or one of them leaves something behind that cannot be cleared."""
    number, clean = 0, True
    while clean and worker.next_job(number):
        _send(_served(worker, job_dir, temporary))
        clean = worker.sweep(number)
        _clear(job_dir)
        number += 1


def _served(worker: Worker, job_dir: str, temporary: str) -> dict[str, object]:
    """What became of the next job. All that needs none is done before it is asked for."""
    tally = Tally(worker.pid if worker.plain else None)
    watch = Watch(worker, [job_dir, temporary])
    _send({"ready": True})
    return _run(worker, _receive(), job_dir, tally, watch)


def _run(worker: Worker, job: dict[str, str], job_dir: str, tally: Tally, watch: Watch) -> dict[str, object]:
    began = time.monotonic()
    tally.begin()
    for kind in ("module", "suite"):
        folder = worker.module_folder if kind == "module" else job_dir
        os.makedirs(folder, 0o755, exist_ok=True)
        _place(folder, job[f"{kind}_file"], job[kind].encode("utf-8", "replace"))
    if job["rewritten"]:
        _place_rewritten(job_dir, job["rewritten_file"], job["rewritten"])
    watch.limit(float(job["seconds"]), int(job["output_bytes"]))
    worker.release({name: job[name] for name in FOR_THE_WORKER})
    result: dict[str, object] = {}
    if job["rewrite"]:
        watch.before_go_on = lambda line: result.update(_take_rewritten(worker, job_dir, line))
    ended_by = watch.until_end()
    result |= {
        "ended_by": ended_by,
        "wait_status": worker.wait_status,
        "report": watch.report.head.decode("utf-8", "replace"),
        "output_head": watch.output.head.decode("utf-8", "replace"),
        "output_tail": watch.output.tail.decode("utf-8", "replace"),
        "output_bytes": watch.output.total,
        "seconds": round(time.monotonic() - began, 4),
        **tally.measured(),
    }
    watch.close()
    if worker.plain:
        worker.kill_group()
    return result


def _take_rewritten(worker: Worker, job_dir: str, line: bytes) -> dict[str, object]:
    """The compiled suite, as the worker made it before it ran anything of the job; only now may it go on."""
    told = json.loads(line)
    if told["pyc"]:
        _place_rewritten(job_dir, told["file"], told["pyc"])
    worker.go_on()
    return {"rewritten": told["pyc"], "rewritten_file": told["file"]}


def _give_up(worker: Worker) -> None:
    worker.kill_group()
    os._exit(1)


def _place(job_dir: str, name: str, content: bytes) -> None:
    path = os.path.join(job_dir, os.path.basename(name))
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o444)
    write_all(file, content)
    os.close(file)


def _place_rewritten(job_dir: str, name: str, content: str) -> None:
    folder = os.path.join(job_dir, REWRITTEN_FOLDER)
    os.mkdir(folder, 0o755)
    _place(folder, name, base64.b64decode(content))


def _clear(job_dir: str) -> None:
    for folder in (os.path.join(job_dir, REWRITTEN_FOLDER), job_dir):
        if os.path.isdir(folder):
            for name in os.listdir(folder):
                path = os.path.join(folder, name)
                os.rmdir(path) if os.path.isdir(path) else os.unlink(path)


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
