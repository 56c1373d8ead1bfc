"""The agent page without JavaScript: the whole job by plain forms, and every refusal in words."""

import re

import pytest
from django.contrib.auth import get_user_model

from agents_app.models import Dataset, Session, Turn, Version
from agents_app.queue import pause
from agents_app.services.send import send
from agents_app.services.start import start
from agents_app.services.upload import upload
from renderer_app.backends import fake
from renderer_app.contract import Reason, RendererBusy
from tests.web.seen import Seen

ADDRESS = "/agent/?spec=scatter-basic&library=matplotlib&language=python"


def role(page: Seen, name: str) -> str:
    return page.form("/agent/create").fields[f"role-{name}"][0]


def test_the_whole_job_by_plain_forms(nobody, penguins, run):
    page = nobody.get(ADDRESS)
    page = nobody.send(page.form("/agent/data"), text=penguins.decode())
    assert "344 rows × 8 columns" in page.text
    assert "comma separated" in page.text
    assert "Adelie" in page.text
    assert (role(page, "x"), role(page, "y"), role(page, "category")) == ("bill_length_mm", "bill_depth_mm", "species")

    page = nobody.send(page.form("/agent/create"))
    assert Session.objects.get().owner == get_user_model().objects.get()
    assert "Create plot" in page.text
    assert "Look now" in page.text
    again = next(got["content"] for tag, got in page.tags if tag == "meta" and got.get("http-equiv") == "refresh")
    assert re.fullmatch(r"2; url=/agent/\?session=[0-9a-f-]{36}&look=1#turn-[0-9a-f-]{36}", again)
    assert "#turn-" in nobody.went_to

    run(Turn.objects.get())
    page = nobody.get(nobody.went_to.partition("#")[0])
    session = Session.objects.get()
    picture = f"/v1/sessions/{session.pk}/versions/1/plot-light.png"
    assert not page.has("meta", http_equiv="refresh")
    assert page.has("img", src=picture, width="3200", height="1800")
    assert "All 344 rows used" in page.text or "342 of 344 rows used, 2 left out" in page.text
    assert "def " not in page.text or "plot.py" in page.text
    for file in ("plot.py", "data.csv"):
        assert f"/v1/sessions/{session.pk}/versions/1/{file}" in page.links
    assert nobody.client.get(picture)["Content-Type"] == "image/png"


def test_a_made_plot_is_drawn_in_its_other_theme_by_a_plain_form(as_alice, made):
    page = as_alice.get(f"/agent/?session={made.session.pk}")
    page = as_alice.send(page.form("/agent/toggle"), press=("theme", "dark"))
    assert page.has("img", src=f"/v1/sessions/{made.session.pk}/versions/1/plot-dark.png")
    assert page.has("button", value="dark", aria_pressed="true", name="theme")
    assert [job.theme for job in fake.jobs] == ["light", "dark"]


def test_a_theme_without_a_free_slot_blames_no_queue(as_alice, made):
    fake.plan(RendererBusy())
    page = as_alice.get(f"/agent/?session={made.session.pk}")
    page = as_alice.send(page.form("/agent/toggle"), press=("theme", "dark"))
    assert page.status == 503
    assert "No place is free right now Other plots are being drawn." in page.text
    assert "queue" not in page.text.lower()


def test_a_quick_control_makes_the_next_version(as_alice, made, run):
    page = as_alice.get(f"/agent/?session={made.session.pk}")
    title = next(form for form in page.forms if form.fields.get("op") == ["set_title"])
    page = as_alice.send(title, text="Bills of penguins")
    assert "Title: “Bills of penguins”" in page.text
    run(Turn.objects.latest("arrival"))
    page = as_alice.get(f"/agent/?session={made.session.pk}")
    assert "Version 2" in page.text
    assert "Title “Bills of penguins”." in page.text
    assert Version.objects.get(number=2).recipe["labels"]["title"] == "Bills of penguins"


def test_a_log_scale_that_the_values_do_not_allow_is_refused_at_the_composer(as_alice, alice, run):
    dataset = upload(alice, data=b"a,b\n-1,2\n0,3\n4,5\n", how="paste")
    session = start(alice, spec="scatter-basic", library="matplotlib", dataset=dataset, bindings={"x": "a", "y": "b"})
    run(send(session, alice))
    page = as_alice.get(f"/agent/?session={session.pk}")
    scale = next(f for f in page.forms if f.fields.get("op") == ["set_scale"] and f.fields["axis"] == ["x"])
    page = as_alice.send(scale, scale="log")
    assert page.status == 422
    assert "a has values of zero or less (down to -1), which a log axis can't show." in page.text
    assert "operations[0]" not in page.text


def test_plain_words_are_answered_with_what_works_now(as_alice, made):
    page = as_alice.get(f"/agent/?session={made.session.pk}")
    say = next(form for form in page.forms if form.action == "/agent/message" and "op" not in form.fields)
    page = as_alice.send(say, text="make it sing")
    assert "make it sing" in page.text
    assert "Not understood" in page.text
    assert "What works now, with the buttons below: Title Labels Log scale Theme" in page.text
    assert Turn.objects.filter(outcome="not_understood").count() == 1


def test_an_empty_message_is_refused_in_words(as_alice, made):
    page = as_alice.get(f"/agent/?session={made.session.pk}")
    say = next(form for form in page.forms if form.action == "/agent/message" and "op" not in form.fields)
    page = as_alice.send(say, text="  ")
    assert page.status == 422
    assert "Say what should change, or use one of the buttons." in page.text


def test_a_waiting_turn_says_its_place_and_can_be_stopped(as_alice, alice, penguins):
    pause.pause()
    dataset = upload(alice, data=penguins, how="paste")
    session = start(alice, spec="scatter-basic", library="matplotlib", dataset=dataset)
    send(session, alice)
    page = as_alice.get(f"/agent/?session={session.pk}")
    assert "Next in line · starts are paused, your place is kept" in page.text
    page = as_alice.send(page.form("/agent/stop"))
    assert "Stopped" in page.text
    assert "Nothing is lost" in page.text
    assert Turn.objects.get().state == Turn.State.CANCELED


def test_a_second_plot_at_once_is_refused_and_the_first_is_one_click_away(as_alice, alice, penguins):
    pause.pause()
    dataset = upload(alice, data=penguins, how="paste")
    session = start(alice, spec="scatter-basic", library="matplotlib", dataset=dataset)
    send(session, alice)
    page = as_alice.get(f"/agent/?spec=box-basic&library=seaborn&dataset={dataset.pk}")
    assert "Another plot of yours is being made" in page.text
    assert f"/agent/?session={session.pk}" in page.links
    page = as_alice.send(page.form("/agent/create"))
    assert page.status == 409
    assert "One thing at a time" in page.text


def test_a_full_queue_says_when_to_come_back(as_alice, alice, bob, penguins, settings):
    settings.AGENT_QUEUE_CAPACITY = 1
    pause.pause()
    theirs = upload(bob, data=penguins, how="paste")
    send(start(bob, spec="scatter-basic", library="matplotlib", dataset=theirs), bob)
    own = upload(alice, data=penguins, how="paste")
    page = as_alice.get(f"{ADDRESS}&dataset={own.pk}")
    page = as_alice.send(page.form("/agent/create"))
    assert page.status == 503
    assert int(page.response["Retry-After"]) >= 1
    assert "No place is free right now The queue is full: 1 plots are waiting." in page.text
    assert Turn.objects.filter(owner=alice).count() == 0


def test_a_spent_budget_says_when_it_resets(as_alice, alice, made, settings):
    settings.AGENT_DAILY_RUNS = 1
    page = as_alice.get(f"/agent/?session={made.session.pk}")
    page = as_alice.send(page.form("/agent/create"))
    assert page.status == 429
    assert "Today's runs are used up" in page.text


def test_columns_that_do_not_fit_are_refused_beside_their_role(as_alice, alice, penguins):
    dataset = upload(alice, data=penguins, how="paste")
    page = as_alice.get(f"{ADDRESS}&dataset={dataset.pk}")
    page = as_alice.send(page.form("/agent/create"), **{"role-x": "island"})
    assert page.status == 422
    assert page.has("select", name="role-x", aria_invalid="true")
    assert not page.has("select", name="role-y", aria_invalid="true")
    assert role(page, "x") == "island"
    assert "island" in page.text
    assert Session.objects.count() == 0


def test_a_required_role_left_empty_is_refused(as_alice, alice, penguins):
    dataset = upload(alice, data=penguins, how="paste")
    page = as_alice.get(f"{ADDRESS}&dataset={dataset.pk}")
    page = as_alice.send(page.form("/agent/create"), **{"role-x": ""})
    assert page.status == 422
    assert page.has("select", name="role-x", aria_invalid="true")


def test_a_table_is_read_again_with_another_separator_and_type(as_alice, alice):
    dataset = upload(alice, data=b"year;sold\n2001;5\n2002;7\n", how="paste")
    page = as_alice.get(f"{ADDRESS}&dataset={dataset.pk}")
    form = page.form("/agent/reread")
    assert form.fields["reading-delimiter"] == ['";"']
    page = as_alice.send(form, **{"type-1": "category"})
    dataset.refresh_from_db()
    assert dataset.columns[1]["type"] == "category"
    page = as_alice.send(page.form("/agent/reread"), **{"reading-header_rows": "0"})
    dataset.refresh_from_db()
    assert dataset.rows == 3


def test_a_reading_that_fails_leaves_the_table_as_it_was(as_alice, alice):
    dataset = upload(alice, data=b"a,b\n1,2\n3,4\n", how="paste")
    page = as_alice.get(f"{ADDRESS}&dataset={dataset.pk}")
    page = as_alice.send(page.form("/agent/reread"), **{"reading-skipped_rows": "3"})
    assert page.status == 422
    assert page.has("div", role="alert")
    dataset.refresh_from_db()
    assert dataset.rows == 2


def test_a_script_that_fails_says_why_and_nothing_is_lost(as_alice, alice, penguins, run):
    fake.plan(lambda job: fake.failure(job, Reason.TIMEOUT))
    dataset = upload(alice, data=penguins, how="paste")
    session = start(alice, spec="scatter-basic", library="matplotlib", dataset=dataset)
    run(send(session, alice))
    page = as_alice.get(f"/agent/?session={session.pk}")
    assert "The picture could not be drawn" in page.text
    assert "60 s" in page.text
    assert "Your table and your earlier plots are kept." in page.text
    assert page.form("/agent/create")


def test_a_turn_whose_table_is_gone_is_called_neither_unsafe_nor_broken(as_alice, alice, penguins, run):
    dataset = upload(alice, data=penguins, how="paste")
    session = start(alice, spec="scatter-basic", library="matplotlib", dataset=dataset)
    turn = send(session, alice)
    Session.objects.filter(pk=session.pk).update(dataset=None)
    assert run(turn).error_code == "validation"
    page = as_alice.get(f"/agent/?session={session.pk}")
    assert "The plot could not be prepared The data set of this session was deleted." in page.text


def test_a_pair_that_cannot_be_adapted_says_so_and_cannot_be_created(as_alice, alice, settings, tmp_path):
    folder = tmp_path / "shady-basic"
    (folder / "implementations" / "python").mkdir(parents=True)
    (folder / "specification.md").write_text(
        "# shady-basic: Shady Plot\n\n## Description\nSays nothing.\n\n## Data\n- `x` (numeric) - a number\n"
    )
    (folder / "implementations" / "python" / "matplotlib.py").write_text("import subprocess\nsubprocess.run(['ls'])\n")
    settings.ANYPLOT_CATALOGUE_FOLDERS = [str(tmp_path)]
    dataset = upload(alice, data=b"x\n1\n2\n", how="paste")
    page = as_alice.get(f"/agent/?spec=shady-basic&library=matplotlib&dataset={dataset.pk}")
    assert page.status == 200
    assert "This plot can't be adapted in matplotlib" in page.text
    assert page.has("button", data_create_button="", disabled="")
    page = as_alice.send(page.form("/agent/create"))
    assert page.status == 422
    assert Session.objects.count() == 0


def test_the_other_library_keeps_table_and_roles(as_alice, made):
    page = as_alice.get(f"/agent/?session={made.session.pk}")
    other = next(link for link in page.links if "library=seaborn" in link)
    page = as_alice.get(other)
    assert page.status == 200
    assert (role(page, "x"), role(page, "category")) == ("bill_length_mm", "species")


def test_a_plot_whose_table_was_deleted_still_shows_what_was_made(as_alice, made):
    made.dataset.delete()
    page = as_alice.get(f"/agent/?session={made.session.pk}")
    assert page.status == 200
    assert "The table of this plot was deleted" in page.text
    assert "Version 1" in page.text


def test_the_page_leads_to_the_gallery_without_a_plot(nobody):
    assert nobody.get("/agent/").response.redirect_chain[-1][0] == "/"


@pytest.mark.parametrize(
    "address",
    [
        "/agent/?session={session}",
        "/agent/?spec=scatter-basic&dataset={dataset}",
        "/agent/panel?spec=scatter-basic&library=matplotlib&dataset={dataset}",
        "/agent/turns/{turn}/",
        "/agent/cards/{session}/1/",
        "/agent/dock/{session}/",
        "/sessions/{session}/delete",
        "/sessions/{session}/versions/1/thumbnail-light.webp",
    ],
)
def test_a_strangers_things_are_not_there(as_alice, as_charlie, nobody, made, address):
    url = address.format(session=made.session.pk, dataset=made.dataset.pk, turn=made.turn.pk)
    assert as_alice.get(url).response.status_code == 200 if not url.endswith("webp") else True
    assert as_charlie.client.get(url).status_code == 404
    assert nobody.client.get(url).status_code == 404


@pytest.mark.parametrize(
    ("action", "fields"),
    [
        ("/agent/message", {"text": "hello"}),
        ("/agent/stop", {}),
        ("/agent/toggle", {"version": "1", "theme": "dark"}),
        ("/agent/create", {"spec": "scatter-basic", "library": "matplotlib"}),
        ("/agent/reread", {"spec": "scatter-basic", "library": "matplotlib"}),
        ("/sessions/{session}/rename", {"name": "Mine now"}),
        ("/sessions/{session}/delete", {}),
    ],
)
def test_a_stranger_can_change_nothing(charlie, made, client, action, fields):
    client.force_login(charlie)
    url = action.format(session=made.session.pk)
    answer = client.post(url, {**fields, "session": made.session.pk, "dataset": made.dataset.pk})
    assert answer.status_code == 404
    assert Session.objects.get().name == made.session.name
    assert Turn.objects.count() == 1


def test_a_switched_off_agent_is_not_there(as_alice, made, settings):
    settings.AGENT_ENABLED = False
    for url in (ADDRESS, f"/agent/?session={made.session.pk}", "/sessions/", f"/agent/turns/{made.turn.pk}/"):
        assert as_alice.get(url).status == 404


def test_a_name_with_markup_stays_text(as_alice, alice):
    dataset = upload(alice, data=b"<script>alert(1)</script>,b\n1,2\n3,4\n", how="paste", name="<b>bold</b>")
    page = as_alice.get(f"{ADDRESS}&dataset={dataset.pk}")
    assert "<script>alert" not in page.response.content.decode()
    assert "<b>bold</b>" in page.text
    assert Dataset.objects.get().columns[0]["name"].startswith("<script>")
