"""Games that are under way, kept in a file of the user's data folder without being asked to."""

from __future__ import annotations

from pathlib import Path

from ..core import record
from ..core.errors import RecordError
from ..say import say
from ..table.match import Match


class Keeper:
    """Keeps a game in a file that grows answer by answer, so that nothing is lost whatever happens.

    The file has no seed until `finish`, so it tells nobody the dice to come.
    """

    def __init__(self, folder: Path, name: str) -> None:
        self.folder = folder
        self.name = name
        self.path: Path | None = None
        self.problem = ""
        self._written = 0

    def follow(self, match: Match) -> None:
        """Add what is new. A problem with the file does not stop the game; it is told when it ends."""
        if self.problem:
            return
        found = match.record
        try:
            if self.path is None:
                self.path = self._new_file()
                self._add(next(found.lines()))
            self._add("".join(record.line(entry) + "\n" for entry in found.entries[self._written :]))
            self._written = len(found.entries)
        except OSError as error:
            self.problem = say("plain.cannot-keep", folder=self.folder, why=error.strerror or error)

    def _add(self, lines: str) -> None:
        assert self.path is not None
        with open(self.path, "a", encoding="utf-8", newline="\n") as file:
            file.write(lines)

    def _new_file(self) -> Path:
        self.folder.mkdir(parents=True, exist_ok=True)
        number = 1
        while True:
            path = self.folder / (f"{self.name}-{number}.jsonl" if number > 1 else f"{self.name}.jsonl")
            try:
                path.open("x").close()
                return path
            except FileExistsError:
                number += 1

    def finish(self, match: Match) -> None:
        """The game is left or over: the whole record, with the seed of the dice so far."""
        self.follow(match)
        if self.path is not None and not self.problem:
            try:
                match.save(self.path, overwrite=True)
            except RecordError as error:
                self.problem = str(error)

    def drop(self) -> None:
        """The game is in a file of the person's own; this one is not needed."""
        if self.path is not None:
            self.path.unlink(missing_ok=True)
            self.path = None
