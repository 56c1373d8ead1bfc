"""Whoever watches the site is told what is missing, and 503 only when it can't serve."""

import pytest

from anyplot_site import health
from renderer_app import beats


@pytest.fixture
def key_value_server(monkeypatch):
    """A key-value server that answers."""
    monkeypatch.setitem(
        health.CHECKS, "key_value_server", (lambda: health.Check(True, "answers"), health.Check(False, ""))
    )


def test_healthz_asks_nothing_of_the_database_and_any_host_may_ask(client):
    answer = client.get("/healthz", headers={"host": "whatever.example.org"})
    assert (answer.status_code, answer.content) == (200, b"ok\n")


def test_other_addresses_are_refused_to_an_unknown_host(client):
    assert client.get("/readyz", headers={"host": "whatever.example.org"}).status_code == 400


@pytest.mark.django_db
def test_a_site_without_workers_serves_and_says_that_it_is_not_ready(client, key_value_server):
    answer = client.get("/readyz")
    body = answer.json()
    assert answer.status_code == 200
    assert (body["serves"], body["ready"]) == (True, False)
    assert body["checks"]["run_worker"]["value"] == "0 alive"
    assert "run_worker" in body["checks"]["run_worker"]["hint"]
    assert body["checks"]["storage"] == {"ok": True, "value": "writable", "hint": "", "stops": True}
    assert set(body["checks"]) == set(health.CHECKS)


@pytest.mark.django_db
def test_a_living_worker_is_counted(client, key_value_server):
    beats.beat("run")
    assert client.get("/readyz").json()["checks"]["run_worker"] == {
        "ok": True, "value": "1 alive", "hint": "", "stops": False,
    }  # fmt: skip


@pytest.mark.django_db
def test_without_a_key_value_server_it_serves(client, settings):
    answer = client.get("/readyz")
    assert answer.status_code == 200
    assert answer.json()["checks"]["key_value_server"]["ok"] is False


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["database", "migrations", "storage"])
def test_what_stops_serving_is_503_with_a_hint_and_without_the_reason(client, key_value_server, monkeypatch, name):
    def broken():
        raise OSError("secret path /srv/x")

    monkeypatch.setitem(health.CHECKS, name, (broken, health.CHECKS[name][1]))
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert answer.json()["checks"][name]["hint"]
    assert "secret path" not in answer.content.decode()


@pytest.mark.django_db
def test_a_migration_that_was_not_applied_stops_serving(client, key_value_server):
    from django.db.migrations.recorder import MigrationRecorder

    MigrationRecorder.Migration.objects.filter(app="renderer_app").delete()
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert answer.json()["checks"]["migrations"]["value"] == "1 to apply"
