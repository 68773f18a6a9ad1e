"""One job in one container: the order is sent, then the answer is awaited and judged."""

from pydantic import ValidationError

from sandbox.base import Job
from sandbox.container import ASK_AGAIN, Container
from sandbox.errors import ContainerFailed
from sandbox.protocol import GuestResult, Secret, job_message
from sandbox.report import TestReport
from sandbox.rewritten import RewrittenSuites
from sandbox.verdict import judge, judge_without_result, obstacle_of

OUTER_SECONDS = 15
"""How much longer than the guest the host waits."""


class Conversation:
    """What is said with the guest of a container about its job. The order goes out at once."""

    def __init__(self, container: Container, job: Job, suites: RewrittenSuites, *, apart: bool = False) -> None:
        """`apart`: the module has a process of its own in this container."""
        self._container = container
        self._job = job
        self._suites = suites
        self._apart = apart
        self._secret = Secret()
        self._fault: ContainerFailed | None = None
        known = suites.find(job, container.image)
        # A session with another hash seed starts again when the order is there, and hears no second word.
        rewrite = known is None and not job.hash_seed
        try:
            container.send(job_message(job, self._secret, known, rewrite))
        except ContainerFailed as fault:
            self._fault = fault

    def end(self) -> tuple[TestReport, str]:
        """The verdict, and what could not be carried to a module in a process of its own. Raises `ContainerFailed`."""
        report, obstacle = self._heard()
        return report.model_copy(update={"image": self._container.image}), obstacle

    def _heard(self) -> tuple[TestReport, str]:
        try:
            if self._fault is not None:
                raise self._fault
            answer = self._container.receive(self._job.limits.seconds + OUTER_SECONDS)
        except ContainerFailed:
            if self._container.ran_out_of_memory():
                return judge_without_result("memory", self._job), ""
            raise
        if answer is None:
            return judge_without_result("timeout", self._job), ""
        return self._judged(answer)

    def _judged(self, answer: bytes) -> tuple[TestReport, str]:
        try:
            result = GuestResult.model_validate_json(answer)
        except ValidationError as error:
            raise ContainerFailed("The guest's result has the wrong form.", ASK_AGAIN) from error
        self._suites.keep(self._job, self._container.image, result)
        report = judge(result, self._job, self._secret, apart=self._apart)
        return report, "" if report.passed else obstacle_of(result)
