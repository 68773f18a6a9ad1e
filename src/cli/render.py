"""A run on a terminal: a spinner with the elapsed time while something works, a panel when it is done."""

from threading import RLock

from rich.console import Console
from rich.progress import Progress as Moving
from rich.progress import SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.text import Text

from src.candidates import called
from src.cli.panels import closing_parts, correction_line, finished_panel, opening_panel
from src.cli.view import Closing, Opening
from src.cli.words import DUTIES, vetting_line
from src.events import CorrectionAsked, Event, NodeFinished, NodeStarted, Progress, SuiteVetted
from src.text import one_line


class TerminalView:
    """Draws a run. Every text is cleaned and drawn as text, never as markup."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._moving: Moving | None = None
        self._at_work: dict[str, str] = {}
        self._one_at_a_time = RLock()  # several developers tell from their own threads

    def open(self, opening: Opening) -> None:
        """The run begins."""
        self._console.print(opening_panel(opening))

    def event(self, event: Event) -> None:
        """Something happened."""
        with self._one_at_a_time:
            self._show(event)

    def _show(self, event: Event) -> None:
        match event:
            case NodeStarted():
                if not event.developer:
                    self._at_work.clear()  # who failed before has no end
                suffix = f", iteration {event.iteration}" if event.iteration else ""
                self._at_work[called(event.node, event.developer)] = f"{DUTIES[event.node]}{suffix}"
                self._turn()
            case NodeFinished():
                self._at_work.pop(called(event.node, event.developer), None)
                self._stop()
                self._console.print(finished_panel(event))
                self._turn()
            case CorrectionAsked():
                self._console.print(correction_line(event))
            case SuiteVetted():
                self._console.print(Text(f"suite {vetting_line(event)}", style="yellow" if event.reasons else "green"))
            case Progress():
                self._spin("preparing")
                self._console.print(Text(one_line(event.text), style="dim", no_wrap=True, overflow="ellipsis"))

    def close(self, closing: Closing) -> None:
        """The run is over."""
        self.pause()
        for part in closing_parts(closing):
            self._console.print(part)

    def pause(self) -> None:
        """Stop the spinner, if one turns."""
        with self._one_at_a_time:
            self._at_work.clear()
            self._stop()

    def _stop(self) -> None:
        if self._moving:
            self._moving.stop()
            self._moving = None

    def _turn(self) -> None:
        """Turn a spinner that tells who is at work, if anybody is."""
        self._stop()
        if len(self._at_work) > 1:
            self._spin(f"{', '.join(self._at_work)} are at work")
        for who, what in self._at_work.items():
            self._spin(f"{who} {what}")

    def _spin(self, text: str) -> None:
        """Turn a spinner with this text, unless one turns already."""
        if self._moving:
            return
        self._moving = Moving(
            SpinnerColumn(),
            TextColumn("{task.description}", markup=False),
            TimeElapsedColumn(),
            console=self._console,
            transient=True,
        )
        self._moving.add_task(text, total=None)
        self._moving.start()
