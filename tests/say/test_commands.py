"""The command line in French: help of every command and option, and what goes wrong."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from beachhead import cli
from beachhead.say import speaking


def run(*args: str | Path, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "beachhead", *map(str, args)],
        cwd=cwd,
        env={**os.environ, "PYTHONUTF8": "1", "COLUMNS": "120", "NO_COLOR": "1", **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


def told(command: Any, path: str = "root") -> Iterator[tuple[str, str]]:
    yield path, command.help or ""
    for option in command.params:
        yield f"{path}.{option.name}", getattr(option, "help", "") or ""
    for name, below in getattr(command, "commands", {}).items():
        yield from told(below, name if path == "root" else f"{path}.{name}")


def test_every_command_and_option_is_explained_in_both_languages() -> None:
    if "rules" not in get_command(cli.app).commands:  # type: ignore[attr-defined]
        cli._gather()
    said = {}
    for language in ("en", "fr"):
        with speaking(language):
            said[language] = dict(told(cli._explained(get_command(cli.app), "root")))
    assert said["en"].keys() == said["fr"].keys()
    for path, english in said["en"].items():
        assert english, f"{path} is not explained"
        assert said["fr"][path] != english, f"{path} is not translated"


def test_the_language_comes_from_the_option_or_the_environment(tmp_path: Path) -> None:
    for given, environment in (
        (["--lang", "fr", "serve", "--help"], {}),
        (["--lang=fr", "serve", "--help"], {}),
        (["serve", "--help"], {"BEACHHEAD_LANG": "fr"}),
        (["serve", "--help"], {"LC_ALL": "fr_FR.UTF-8"}),
    ):
        assert "Servir la table" in run(*given, cwd=tmp_path, **environment).stdout, given
    assert "Serve the table" in run("--lang", "en", "serve", "--help", cwd=tmp_path, BEACHHEAD_LANG="fr").stdout
    refused = run("--lang", "de", "rules", "show", "F-ROLL-01", cwd=tmp_path)
    assert refused.returncode == 2 and "--lang de" in refused.stderr


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["sim", "landing", "--edition", "third"], "édition inconnue 'third'"),
        (["sim", "landing", "--seats", "9"], "9 places"),
        (["play", "--map", "n99"], "plan inconnu 'n99'"),
        (["replay", "nowhere.jsonl"], "ce fichier n'existe pas"),
        (["verify", "bad.jsonl"], "la ligne n'est pas du JSON"),
        (["rules", "show", "F-ROL-01"], "Vouliez-vous dire F-ROLL-01"),
        (["scenario", "nowhere.toml"], "ce fichier ou dossier n'existe pas"),
        (["map", "zzz"], "plan inconnu 'zzz'"),
    ],
)
def test_mistakes_are_told_in_french(args: list[str], words: str, tmp_path: Path) -> None:
    (tmp_path / "bad.jsonl").write_text("this is no JSON\n", encoding="utf-8")
    done = run(*args, cwd=tmp_path, BEACHHEAD_LANG="fr")
    assert done.returncode == 2
    assert words in done.stderr.replace("\u00a0", " ")


def test_a_record_is_told_and_proven_in_french(tmp_path: Path) -> None:
    made = run("sim", "landing", "--games", "1", "--save", "games", cwd=tmp_path, BEACHHEAD_LANG="fr")
    assert made.returncode == 0, made.stderr
    assert "gagnées" in made.stdout
    (file,) = (tmp_path / "games").iterdir()
    story = run("replay", file, cwd=tmp_path, BEACHHEAD_LANG="fr").stdout
    assert "L'Unité 1 lance" in story and "Finie après" in story
    proof = run("verify", file, cwd=tmp_path, BEACHHEAD_LANG="fr")
    assert proof.returncode == 0 and "tout est juste" in proof.stdout
    lines = file.read_text(encoding="utf-8").splitlines()
    file.write_text("\n".join(lines[:6]) + "\n", encoding="utf-8")
    assert "la partie n'est pas finie" in run("verify", file, cwd=tmp_path, BEACHHEAD_LANG="fr").stdout
