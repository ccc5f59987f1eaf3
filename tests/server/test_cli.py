"""The command: ports that are taken, addresses that are none, a database that cannot be opened; all told in words."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from beachhead.cli import app
from beachhead.core.errors import BeachheadError
from beachhead.server import cli

from .running import Running, at

MAIN = "from beachhead.cli import main; main()"


def command(*options: str, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    given = {**os.environ, "BEACHHEAD_DATA": str(folder), "LC_ALL": "C.UTF-8", **environment}
    return subprocess.run(
        [sys.executable, "-c", MAIN, *options], capture_output=True, text=True, timeout=300, env=given, check=False
    )


def test_a_second_server_offers_the_one_that_runs(running: Running, tmp_path: Path) -> None:
    found = command("serve", "--port", str(running.port), "--no-browser", folder=tmp_path)
    assert found.returncode == 0, found.stderr
    assert f"already open at {running.url}" in found.stdout


def test_a_port_that_another_program_uses_is_told_with_a_way_out(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        threading.Thread(target=hang_up, args=(other,), daemon=True).start()
        port = other.getsockname()[1]
        found = command("serve", "--port", str(port), "--no-browser", folder=tmp_path, LC_ALL="fr_FR.UTF-8")
    assert found.returncode == 2
    assert found.stderr.count("\n") == 1
    assert str(port) in found.stderr
    assert "beachhead serve --port" in found.stderr
    assert "est pris" in found.stderr


def hang_up(other: socket.socket) -> None:
    try:
        there, _ = other.accept()
        there.sendall(b"220 this is no web server\r\n")
        there.close()
    except OSError:
        pass


@pytest.mark.parametrize("url", ["ftp://x", "https://", "https://a b", "https://dice.example.org/path", "https://u@x"])
def test_a_public_address_that_is_none_is_refused(tmp_path: Path, url: str) -> None:
    found = command("serve", "--port", "0", "--public", url, "--no-browser", folder=tmp_path)
    assert found.returncode == 2
    assert "--public" in found.stderr


def test_a_database_that_is_none_is_told_in_words(tmp_path: Path) -> None:
    broken = tmp_path / "tables.sqlite"
    broken.write_bytes(b"this is a shopping list, and no database at all " * 50)
    found = command("serve", "--port", "0", "--data", str(broken), "--no-browser", folder=tmp_path)
    assert found.returncode == 2, found.stderr
    assert "Traceback" not in found.stderr
    assert str(broken) in found.stderr
    nowhere = command("serve", "--port", "0", "--data", "/proc/nowhere/x.sqlite", "--no-browser", folder=tmp_path)
    assert nowhere.returncode == 2
    assert "Traceback" not in nowhere.stderr


def test_alone_the_command_serves_and_opens_the_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[object, ...]] = []
    monkeypatch.setattr(cli, "_serve", lambda *given: asked.append(given))
    app([], standalone_mode=False)
    assert asked == [(cli.PORT, False, "", None, True)]


def test_the_link_of_the_network_is_printed_as_a_qr_code(capsys: pytest.CaptureFixture[str]) -> None:
    cli._print_qr("http://192.168.1.20:8944/")
    drawn = capsys.readouterr().out
    assert len(drawn.splitlines()) > 10
    assert cli.lan_address().count(".") == 3


def test_the_database_lies_in_the_data_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("BEACHHEAD_DATA", str(tmp_path))
    assert cli.database() == tmp_path / "tables.sqlite"
    assert cli.database(Path("x")) == Path("x")


def test_a_port_out_of_reach_is_a_message(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*given: object) -> None:
        raise PermissionError(13, "no")

    monkeypatch.setattr(socket.socket, "bind", refuse)
    monkeypatch.setattr(cli, "is_ours", lambda port: False)
    with pytest.raises(BeachheadError, match="80"):
        cli._listen("127.0.0.1", 80, False)


def test_the_tables_of_a_database_are_listed_and_a_fresh_link_is_made(running: Running, tmp_path: Path) -> None:
    made = running.create(title="Ours")
    with at(running, made):  # the table is loaded while the link is made beside the server
        listed = command("tables", "--data", str(running.data), folder=tmp_path)
        assert listed.returncode == 0, listed.stderr
        (row,) = [line for line in listed.stdout.splitlines() if line.startswith(made["table"])]
        assert row.endswith("  Ours")
        given = ("tables", "link", made["table"], "--data", str(running.data), "--url", running.url)
        found = command(*given, folder=tmp_path)
        assert found.returncode == 0, found.stderr
        before, _, token = found.stdout.strip().partition("#")
        assert before == f"{running.url}/g/{made['table']}"
        with at(running, made, token) as client:
            assert client.table["host"] is True
    with at(running, made) as client:  # the link from before goes on working
        assert client.table["host"] is True


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (("tables", "--data", "nowhere.sqlite"), "nowhere.sqlite"),
        (("tables", "link", "x", "--data", "nowhere.sqlite"), "nowhere.sqlite"),
        (("tables", "link", "x", "--url", "ftp://x"), "--url"),
    ],
)
def test_a_mistake_with_tables_is_one_message(given: tuple[str, ...], words: str, tmp_path: Path) -> None:
    found = command(*given, folder=tmp_path)
    assert found.returncode == 2
    assert words in found.stderr and found.stderr.count("\n") == 1
    assert not (tmp_path / "nowhere.sqlite").exists()


def test_no_table_of_that_id(running: Running, tmp_path: Path) -> None:
    found = command("tables", "link", "-nothing", "--data", str(running.data), folder=tmp_path)
    assert found.returncode == 2
    assert "-nothing" in found.stderr
