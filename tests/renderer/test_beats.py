"""Signs of life, and who is provably gone."""

import os
import subprocess
import sys

import pytest

from anyplot_site import bounds
from renderer_app import beats, identity
from renderer_app.models import WorkerBeat
from tests.renderer.waiting import eventually


@pytest.mark.django_db
class TestBeats:
    def test_a_process_that_beats_lives_until_it_has_been_silent_for_long(self, time_stands):
        beats.beat("render", {"tier": "bwrap"})
        beats.beat("render", {"tier": "bwrap"})
        assert (beats.alive("render"), beats.alive("run")) == (1, 0)
        assert beats.living("render")[0].detail == {"tier": "bwrap"}
        time_stands.advance(bounds.WORKER_GONE_S + 1)
        assert beats.alive("render") == 0

    def test_a_process_that_leaves_is_gone_at_once(self, time_stands):
        beats.beat("web")
        beats.leave()
        assert beats.alive("web") == 0

    def test_a_process_that_is_provably_gone_does_not_count(self, time_stands):
        beats.beat("run")
        view = identity.me().rsplit(":", 1)[1]
        WorkerBeat.objects.create(name=f"here:{2**22 + 1}:1:{view}", kind="run", host="here", beat_at=time_stands.at)
        assert beats.alive("run") == 1

    def test_old_signs_are_forgotten(self, time_stands):
        beats.beat("run")
        assert beats.forget() == 0
        time_stands.advance(11 * bounds.WORKER_GONE_S)
        assert beats.forget() == 1


class TestIdentity:
    def test_this_process_is_not_gone(self):
        assert not identity.gone(identity.me())
        assert len(identity.me()) <= 120

    def test_a_process_that_ended_is_gone_even_while_it_is_a_zombie(self):
        process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
        host, _, _, view = identity.me().rsplit(":", 3)
        name = f"{host}:{process.pid}:{identity._start(process.pid)}:{view}"
        assert not identity.gone(name)
        process.kill()
        assert eventually(lambda: identity.gone(name))
        process.communicate()
        assert identity.gone(name)

    def test_a_reused_pid_is_another_process(self):
        host, pid, _, view = identity.me().rsplit(":", 3)
        assert pid == str(os.getpid())
        assert identity.gone(f"{host}:{pid}:1:{view}")

    @pytest.mark.parametrize("name", ["", "worker", "a:b:c:d", "host:1:2:another-view", "host:1:2:?"])
    def test_what_cannot_be_proved_is_not_gone(self, name):
        assert not identity.gone(name)
