"""The backends of this process: `local` in the real sandbox, and `fake`."""

import threading

import pytest
from django.db import connection

from renderer_app import backends, slots
from renderer_app.backends import fake
from renderer_app.backends.local import LocalBackend
from renderer_app.backends.queue import QueueBackend
from renderer_app.contract import (
    Limits,
    Purpose,
    Reason,
    RendererBusy,
    RendererUnavailable,
    RenderJob,
    RenderResult,
)
from renderer_app.models import RenderRequest
from tests.renderer.scripts import ENDLESS, SCATTER, SMALL


def job(code: str = SMALL, theme: str = "light", **options: object) -> RenderJob:
    return RenderJob("job", theme, code, **options)  # type: ignore[arg-type]


class TestChoice:
    @pytest.mark.parametrize("name", ["queue", "local", "fake"])
    def test_the_setting_names_the_backend(self, settings, name):
        settings.AGENT_RENDERER = name
        assert type(backends.backend()).__name__.lower() == f"{name}backend"

    def test_an_operators_shorter_time_bounds_every_job(self, settings):
        settings.AGENT_RENDER_WALL_S = 5.0
        assert backends.bounded(job()).limits.wall_s == 5.0
        assert backends.bounded(job(limits=Limits(wall_s=2))).limits.wall_s == 2


@pytest.mark.sandbox
@pytest.mark.django_db(transaction=True)
class TestLocal:
    def test_a_render_takes_its_place_and_leaves_a_row_without_the_persons_data(self):
        result = LocalBackend().render(job(), purpose=Purpose.PIPELINE, wait_s=60)
        assert result.ok
        row = RenderRequest.objects.get()
        assert (row.state, row.purpose, row.attempts) == ("done", "pipeline", 1)
        assert row.result["probe"] is None
        assert result.probe is not None

    def test_a_wait_for_the_slot_ends_in_a_sentence(self):
        holder = slots.admit(
            RenderRequest(job_id="other", theme="light"), purpose=Purpose.PIPELINE, wait_s=60, waiter="x"
        )
        slots.claim("another-host:1:1:x", only=holder.pk)
        with pytest.raises(RendererBusy, match=r"No render slot came free within 0\.3 s\."):
            LocalBackend().render(job(), purpose=Purpose.TOGGLE, wait_s=0.3)
        assert RenderRequest.objects.get(job_id="job").state in ("expired", "canceled")

    def test_who_cancels_while_waiting_is_answered_and_frees_the_place(self):
        holder = slots.admit(
            RenderRequest(job_id="other", theme="light"), purpose=Purpose.PIPELINE, wait_s=60, waiter="x"
        )
        slots.claim("another-host:1:1:x", only=holder.pk)
        result = LocalBackend().render(job(), purpose=Purpose.TOGGLE, wait_s=60, canceled=lambda: True)
        assert result.reason is Reason.CANCELED
        assert RenderRequest.objects.get(job_id="job").state == "canceled"

    def test_who_cancels_while_rendering_ends_the_script(self):
        asked = iter([False] * 4)
        result = LocalBackend().render(
            job(ENDLESS), purpose=Purpose.PIPELINE, wait_s=60, canceled=lambda: next(asked, True)
        )
        assert result.reason is Reason.CANCELED
        assert RenderRequest.objects.get().state == "canceled"

    def test_two_at_once_are_served_one_after_the_other(self):
        results: list[RenderResult] = []

        def ask() -> None:
            try:
                results.append(LocalBackend().render(job(), purpose=Purpose.PIPELINE, wait_s=60))
            finally:
                connection.close()

        threads = [threading.Thread(target=ask) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        assert [result.ok for result in results] == [True, True]
        first, second = RenderRequest.objects.order_by("started_at")
        assert first.finished_at <= second.started_at

    def test_its_status_tells_of_the_sandbox(self):
        assert LocalBackend().status() == {
            "backend": "local",
            "sandbox": "bwrap",
            "tier": "bwrap",
            "available": True,
            "detail": "",
        }


@pytest.mark.django_db
class TestQueueWithoutWorkers:
    def test_it_refuses_to_wait_inside_a_transaction(self):
        # This test itself is one.
        with pytest.raises(RuntimeError, match="inside a transaction"):
            QueueBackend().render(job(), purpose=Purpose.PIPELINE, wait_s=1)

    def test_without_a_worker_its_status_says_so(self):
        status = QueueBackend().status()
        assert (status["available"], status["detail"]) == (False, "No render worker is running.")


class TestFake:
    @pytest.fixture(autouse=True)
    def nothing_planned(self):
        fake.forget()
        yield
        fake.forget()

    def render(self, asked: RenderJob) -> RenderResult:
        return fake.FakeBackend().render(asked, purpose=Purpose.PIPELINE, wait_s=0)

    def test_its_picture_has_the_scripts_canvas_and_is_the_same_every_time(self):
        result = self.render(job(SCATTER))
        assert (result.ok, result.width, result.height) == (True, 3200, 1800)
        assert self.render(job(SCATTER)).picture == result.picture
        assert self.render(job(SCATTER, theme="dark")).picture != result.picture
        square = self.render(job("fig = plt.figure(figsize=(6, 6))\n"))
        assert (square.width, square.height) == (2400, 2400)

    def test_its_measurements_show_the_scripts_texts(self):
        probe = self.render(job('TITLE = "Penguins"\nX_LABEL = "length"\nY_LABEL = ""\n')).probe
        assert [(text["role"], text["text"]) for text in probe["texts"]] == [
            ("title", "Penguins"),
            ("xlabel", "length"),
        ]
        assert probe["axes"][0]["ylabel"] is None

    def test_failures_come_as_planned_and_in_order(self):
        fake.plan(RendererBusy("full"), RenderResult("light", reason=Reason.EXIT), fake.picture)
        with pytest.raises(RendererBusy):
            self.render(job())
        assert self.render(job()).reason is Reason.EXIT
        assert self.render(job()).ok
        assert len(fake.jobs) == 3

    def test_a_comment_in_the_script_makes_it_fail(self):
        result = self.render(job("# fake: timeout\nx = 1\n"))
        assert (result.reason, result.limit) == (Reason.TIMEOUT, 60)
        assert result.measured > 60

    def test_other_formats_are_their_formats(self):
        assert self.render(job(format="svg")).picture.startswith(b"<svg")
        assert self.render(job(format="pdf")).picture.startswith(b"%PDF")

    def test_an_exception_that_is_planned_may_say_that_the_renderer_is_away(self):
        fake.plan(RendererUnavailable("away"))
        with pytest.raises(RendererUnavailable, match="away"):
            self.render(job())
