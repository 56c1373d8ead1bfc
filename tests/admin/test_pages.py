"""The operator's pages show everything, write nothing themselves, and ask before they stop anything."""

import io
import re

import pytest
from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.urls import reverse
from PIL import Image

from agents_app.models import ApiToken, Artifact, Turn
from agents_app.services.tokens import user_of

OURS = ("agents_app", "renderer_app")
MODELS = [model for model in admin.site._registry if model._meta.app_label in OURS]


def listed(model) -> str:
    """The address of a model's list."""
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model._meta.model_name)
def test_every_list_opens(staff, waiting, version, model):
    answer = staff.get(listed(model))
    assert answer.status_code == 200
    assert staff.get(listed(model), {"q": "alice"}).status_code == 200


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model._meta.model_name)
def test_every_row_opens(staff, waiting, version, model):
    for row in model.objects.all():
        address = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_change", args=[row.pk])
        assert staff.get(address).status_code == 200


@pytest.mark.parametrize(
    "model", [model for model in MODELS if model is not ApiToken], ids=lambda model: model._meta.model_name
)
def test_nothing_but_a_token_can_be_added_and_nothing_changed_or_deleted(staff, waiting, version, model):
    name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
    assert staff.get(reverse(f"{name}_add")).status_code == 403
    for row in model.objects.all():
        assert staff.post(reverse(f"{name}_change", args=[row.pk]), {}).status_code == 403
        assert staff.post(reverse(f"{name}_delete", args=[row.pk]), {"post": "yes"}).status_code == 403


@pytest.mark.parametrize("path", ["", "agents_app/turn/", "rq/", "agents_app/artifact/"])
def test_a_person_who_is_no_staff_is_sent_to_the_login(client, alice, path):
    client.force_login(alice)
    answer = client.get(f"/admin/{path}")
    assert answer.status_code == 302
    assert "/login/" in answer["Location"]


def test_a_picture_is_for_staff_only(client, alice, staff, version):
    artifact = Artifact.objects.get()
    for kind in ("picture", "thumbnail"):
        address = reverse(f"admin:agents_app_artifact_{kind}", args=[artifact.pk])
        assert staff.get(address).status_code == 200
    client.force_login(alice)
    assert client.get(address).status_code == 302


def test_a_thumbnail_is_small_and_the_picture_whole(staff, version):
    artifact = Artifact.objects.get()
    small = staff.get(reverse("admin:agents_app_artifact_thumbnail", args=[artifact.pk])).content
    assert Image.open(io.BytesIO(small)).size == (320, 180)
    whole = staff.get(reverse("admin:agents_app_artifact_picture", args=[artifact.pk])).getvalue()
    assert Image.open(io.BytesIO(whole)).size == (3200, 1800)


def test_a_picture_that_is_not_there_is_404(staff, version):
    Artifact.objects.update(file="")
    artifact = Artifact.objects.get()
    assert staff.get(reverse("admin:agents_app_artifact_picture", args=[artifact.pk])).status_code == 404
    assert staff.get(listed(Artifact)).status_code == 200


def test_the_queue_shows_its_counters_and_places(staff, waiting, bob, session):
    page = staff.get(listed(Turn)).content.decode()
    counters = dict(re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", page))
    assert counters["waiting"] + counters["running"] in ("10", "01")
    assert {"done in the last hour", "failed in the last hour", "oldest wait"} <= counters.keys()


def test_a_turns_page_is_the_timeline_of_its_events_with_durations(staff, version):
    page = staff.get(reverse("admin:agents_app_turn_change", args=[version.turn_id])).content.decode()
    assert re.findall(r'class="field-after"[^>]*>\s*<p>(.*?)</p>', page) == ["–", "6.00 s", "0.50 s", "3.50 s"]
    assert "All texts fit." in page
    assert reverse("admin:agents_app_artifact_thumbnail", args=[Artifact.objects.get().pk]) in page


def test_the_page_of_a_data_set_shows_its_reading_and_none_of_its_values(staff, dataset):
    page = staff.get(reverse("admin:agents_app_dataset_change", args=[dataset.pk])).content.decode()
    assert "no_header" in page
    assert "delimiter" in page
    assert "pay" in page
    assert "Zaphod" not in page
    assert "Zaphod" not in staff.get(listed(type(dataset))).content.decode()


def test_stopping_asks_first_then_stops_and_leaves_an_audit_entry(staff, waiting):
    chosen = {"action": "cancel", "_selected_action": [str(waiting.pk)]}
    asked = staff.post(listed(Turn), chosen)
    assert asked.status_code == 200
    assert "Pay by name" in asked.content.decode()
    waiting.refresh_from_db()
    assert waiting.state in Turn.ACTIVE
    assert not LogEntry.objects.exists()

    answer = staff.post(listed(Turn), {**chosen, "confirmed": "yes"}, follow=True)
    assert "1 stopped." in answer.content.decode()
    waiting.refresh_from_db()
    assert waiting.state == Turn.State.CANCELED
    events = list(waiting.events.values_list("type", flat=True))
    assert events[-1] == "done"
    assert LogEntry.objects.get().object_id == str(waiting.pk)


def test_stopping_needs_its_permission(client, waiting, charlie):
    from django.contrib.auth.models import Permission

    charlie.is_staff = True
    charlie.save()
    charlie.user_permissions.add(Permission.objects.get(codename="view_turn"))
    client.force_login(charlie)
    assert client.get(listed(Turn)).status_code == 200
    client.post(listed(Turn), {"action": "cancel", "_selected_action": [str(waiting.pk)], "confirmed": "yes"})
    waiting.refresh_from_db()
    assert waiting.state in Turn.ACTIVE


def test_a_token_is_made_by_a_form_and_shown_once(staff, alice):
    form = {"user": alice.pk, "name": "notebook", "days": "7"}
    page = staff.post(reverse("admin:agents_app_apitoken_add"), form)
    text = re.search(r'<pre class="anyplot-token">(.*?)</pre>', page.content.decode())
    assert text
    assert user_of(text[1]) == alice
    assert "no-store" in page["Cache-Control"]
    token = ApiToken.objects.get()
    assert token.expires_at
    assert text[1] not in staff.get(reverse("admin:agents_app_apitoken_change", args=[token.pk])).content.decode()
    assert text[1] not in staff.get(listed(ApiToken)).content.decode()


def test_a_token_is_revoked_by_an_action(staff, alice):
    staff.post(reverse("admin:agents_app_apitoken_add"), {"user": alice.pk, "name": "notebook", "days": ""})
    token = ApiToken.objects.get()
    staff.post(listed(ApiToken), {"action": "revoke", "_selected_action": [str(token.pk)]})
    token.refresh_from_db()
    assert token.revoked_at
    assert LogEntry.objects.filter(object_id=str(token.pk), change_message="Revoked.").exists()


def test_the_lists_take_a_bounded_number_of_queries(staff, waiting, version, django_assert_max_num_queries):
    with django_assert_max_num_queries(30):
        staff.get(listed(Turn))
