"""A person's own plots."""

from agents_app.models import Session


def test_nobody_sees_an_empty_list_with_a_way_to_begin(nobody):
    page = nobody.get("/sessions/")
    assert page.status == 200
    assert "Nothing here yet." in page.text
    assert "Bring your table" in page.text


def test_a_plot_is_listed_with_its_picture_and_state(as_alice, made):
    page = as_alice.get("/sessions/")
    assert "Basic Scatter Plot: penguins" in page.text
    assert "1 version" in page.text
    assert f"/agent/?session={made.session.pk}#version-1" in page.links
    thumbnail = next(p for p in page.pictures if "thumbnail" in p["src"])
    answer = as_alice.client.get(thumbnail["src"])
    assert answer["Content-Type"] == "image/webp"
    assert len(answer.content) < 40_000
    assert "immutable" in answer["Cache-Control"]


def test_only_ones_own_plots_are_listed(as_charlie, made):
    assert "Nothing here yet." in as_charlie.get("/sessions/").text


def test_a_plot_gets_another_name(as_alice, made):
    form = as_alice.get("/sessions/").form(f"/sessions/{made.session.pk}/rename")
    page = as_alice.send(form, name="Bills")
    assert "Bills" in page.text
    assert Session.objects.get().name == "Bills"


def test_a_name_without_a_letter_is_refused_in_words(as_alice, made):
    form = as_alice.get("/sessions/").form(f"/sessions/{made.session.pk}/rename")
    page = as_alice.send(form, name=" \t ")
    assert page.status == 422
    assert "Write at least one letter or digit." in page.text


def test_deleting_asks_first_and_then_deletes(as_alice, made):
    page = as_alice.get(f"/sessions/{made.session.pk}/delete")
    assert "Delete “Basic Scatter Plot: penguins”?" in page.text
    assert Session.objects.count() == 1
    page = as_alice.send(page.form(f"/sessions/{made.session.pk}/delete"))
    assert "Nothing here yet." in page.text
    assert Session.objects.count() == 0


def test_a_thumbnail_is_of_one_version_never_of_the_latest(as_alice, made):
    address = f"/sessions/{made.session.pk}/versions/{{}}/thumbnail-light.webp"
    assert "immutable" in as_alice.client.get(address.format(1))["Cache-Control"]
    assert as_alice.client.get(address.format(0)).status_code == 404
