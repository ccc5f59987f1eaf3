"""The command line. Each room brings its own commands; here they meet, and a user's mistake becomes one message.

What commands and options are for is said by the catalogue: `usage.COMMAND.about` and `usage.COMMAND.OPTION`.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from importlib import import_module
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer
from typer.main import get_command

from . import __version__
from .content.library import PACKS_VARIABLE
from .core.errors import BeachheadError, SetupError
from .say import LANGUAGES, PSEUDO, either, language, language_of, messages_for, say, speak

STOPPED = 130
"""The exit code of who was stopped by the keyboard, as the parser of the command line gives it too."""

app = typer.Typer(
    name="beachhead",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


@app.callback(invoke_without_command=True)
def root(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version")] = False,
    packs: Annotated[
        list[Path] | None,
        typer.Option(metavar="DIR"),
    ] = None,
    lang: Annotated[str | None, typer.Option(metavar="NAME")] = None,
) -> None:
    if lang is not None and lang not in (*LANGUAGES, PSEUDO):
        raise SetupError(say("cli.lang", text=lang, known=either(list(LANGUAGES))))
    speak(lang or _asked_language(sys.argv[1:]) or language_of())
    if packs:
        os.environ[PACKS_VARIABLE] = os.pathsep.join(str(folder.resolve()) for folder in packs)
    if version:
        typer.echo(f"beachhead {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        from .server.cli import home

        home()


def _gather() -> None:
    for room in ("server", "terminal", "sim", "solve", "train", "advise", "scenarios", "draw"):
        import_module(f"beachhead.{room}.cli").register(app)
    from .rules.cli import app as rules

    app.add_typer(rules, name="rules")


def _explained(command: Any, path: str) -> Any:
    """This command with those below it, and what they and their options are for, in the language that is spoken."""
    known = messages_for(language(), f"usage.{path}.")
    command.help = known.get(f"usage.{path}.about", command.help)
    for option in command.params:
        option.help = known.get(f"usage.{path}.{option.name}", getattr(option, "help", None))
    if asks := command.get_help_option(typer.Context(command)):
        asks.help = say("usage.root.help")
    for name, below in getattr(command, "commands", {}).items():
        _explained(below, name if path == "root" else f"{path}.{name}")
    return command


def _asked_language(args: list[str]) -> str:
    """What `--lang` says; needed before the command line is read, as its help is in that language too."""
    for n, arg in enumerate(args):
        if arg == "--lang":
            return (args[n + 1 :] or [""])[0]
        if arg.startswith("--lang="):
            return arg.removeprefix("--lang=")
    return ""


def main() -> None:
    """Run the command line; every mistake of a user ends in one clear message and exit code 2."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # what a terminal cannot show must not end a game
    speak(_asked_language(sys.argv[1:]) or language_of())
    try:
        _gather()
        code = _explained(get_command(app), "root")(_language_first(sys.argv[1:]), standalone_mode=False) or 0
        if code == STOPPED:
            raise KeyboardInterrupt
        sys.stdout.flush()
        sys.exit(code)
    except BeachheadError as error:
        _stop(str(error), 2)
    except BrokenPipeError:
        _drop_output()
        sys.exit(1)
    except OSError as error:
        _drop_output()
        _stop(str(error.filename or "-") + f": {error.strerror or error}", 1)
    except (KeyboardInterrupt, typer.Abort):
        _stop(say("cli.stopped"), STOPPED)
    except Exception as error:
        # What the parser of the command line says (a wrong option, a missing argument) is a mistake of the user too.
        if not hasattr(error, "format_message"):
            raise
        _stop(_misread(error), 2)


def _language_first(args: list[str]) -> list[str]:
    """The same with `--lang NAME` before the command: it is an option of them all."""
    if "--lang" in args[1:]:
        n = args.index("--lang", 1)
        if args[n + 1 :] and not args[n + 1].startswith("-") and "--" not in args[:n]:
            return ["--lang", args[n + 1], *args[:n], *args[n + 2 :]]
    return args


def _drop_output() -> None:
    """Nobody takes what is still to be written: it goes nowhere, and Python says nothing of it when it ends."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _misread(error: Any) -> str:
    """What the parser of the command line says, in the language that is spoken where it is said often."""
    kind, param = type(error).__name__, getattr(error, "param", None)
    option = getattr(error, "option_name", "")
    if param is not None:
        option = param.opts[0] if param.opts[0].startswith("-") else param.metavar or param.human_readable_name
    if kind == "BadParameter" and "valid integer" in error.message:
        return say("cli.no-number", option=option)
    if kind == "NoSuchOption":
        known = either([repr(name) for name in error.possibilities or ()])
        hint = say("setup.near", name=known) if known else ""
        return say("cli.no-such-option", option=option, hint=hint)
    if kind == "BadOptionUsage" and "requires an argument" in error.message:
        return say("cli.no-value", option=option)
    if kind == "MissingParameter":
        return say("cli.missing", option=option)
    return str(error.format_message())


def _stop(message: str, code: int) -> NoReturn:
    print(message if message.startswith("Usage:") else f"beachhead: {message}", file=sys.stderr)
    sys.exit(code)
