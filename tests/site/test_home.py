"""Where a copy's files are, and what is prepared in it."""

import os
from pathlib import Path

from anyplot_site import home, prepare


def test_the_home_is_the_variables_or_in_the_checkout():
    assert home.folder({}) == home.CHECKOUT / ".anyplot"
    assert home.folder({"ANYPLOT_HOME": ""}) == home.CHECKOUT / ".anyplot"
    assert home.folder({"ANYPLOT_HOME": "/srv/../srv/plots"}) == Path("/srv/plots")


def test_the_socket_is_in_the_home_where_its_path_fits():
    assert home.key_value_socket(Path("/srv/plots"), {}) == Path("/srv/plots/run/kv.sock")


def test_a_long_path_moves_the_socket_to_the_runtime_folder():
    long = Path("/srv") / ("x" * 120)
    socket = home.key_value_socket(long, {"XDG_RUNTIME_DIR": "/run/user/7"})
    assert socket.parent.parent == Path("/run/user/7")
    assert len(os.fsencode(socket)) <= home.SOCKET_PATH_BYTES


def test_a_long_runtime_folder_is_passed_over_too():
    long = Path("/srv") / ("x" * 120)
    socket = home.key_value_socket(long, {"XDG_RUNTIME_DIR": "/run/" + "y" * 120})
    assert socket.is_relative_to("/tmp")
    assert str(os.getuid()) in socket.parent.name


def test_two_homes_never_share_a_socket():
    one, two = (home.key_value_socket(Path("/srv") / (letter * 120), {}) for letter in "xy")
    assert one != two


def test_a_path_with_odd_letters_is_quoted_in_the_address():
    assert home.key_value_url(Path("/srv/my plots?"), {}) == "unix:///srv/my%20plots%3F/run/kv.sock"


def test_a_home_is_current_only_for_the_sources_and_the_database_that_it_was_prepared_for(tmp_path):
    assert not prepare.is_current(tmp_path, {})
    (tmp_path / "db.sqlite3").write_bytes(b"")
    (tmp_path / "run").mkdir()
    (tmp_path / prepare.MARK).write_text(prepare.fingerprint(tmp_path))
    assert prepare.is_current(tmp_path, {})
    assert not prepare.is_current(tmp_path, {"DATABASE_URL": "postgres://db/plots"})
    # Another file under the same name: a restored backup, or none.
    (tmp_path / "other").write_bytes(b"")
    (tmp_path / "other").replace(tmp_path / "db.sqlite3")
    assert not prepare.is_current(tmp_path, {})
    (tmp_path / "db.sqlite3").unlink()
    assert not prepare.is_current(tmp_path, {})
