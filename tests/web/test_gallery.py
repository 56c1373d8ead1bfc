"""The gallery: bring a table, find a plot."""

import pytest
from django.contrib.auth import get_user_model
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from agents_app.catalogue import catalogue
from agents_app.models import Dataset
from agents_app.services.upload import upload
from anyplot_site import bounds

SMALL = "animal,weight\ncat,4\ndog,20\n"


def test_every_plot_of_the_catalogue_is_there_with_its_title_and_a_link(nobody):
    page = nobody.get("/")
    assert page.status == 200
    for spec in catalogue.specs():
        assert spec.title in page.text
        assert f"/plots/{spec.id}/python/{spec.libraries[0]}" in page.links


def test_a_foreign_folder_without_a_python_script_leaves_the_gallery_whole(nobody, settings, tmp_path):
    (tmp_path / "odd-plot").mkdir()
    (tmp_path / "odd-plot" / "specification.md").write_text("# odd-plot: Odd Plot\n")
    settings.ANYPLOT_CATALOGUE_FOLDERS = [str(tmp_path)]
    page = nobody.get("/")
    assert page.status == 200
    assert "Basic Pie Chart" in page.text
    assert "Odd Plot" not in page.text
    for address in ("/plots/odd-plot/", "/agent/?spec=odd-plot"):
        assert nobody.get(address).status == 404


def test_a_visit_makes_nobody_a_guest(nobody):
    for address in ("/", "/sessions/", "/plots/scatter-basic/python/matplotlib", "/agent/?spec=scatter-basic"):
        assert nobody.get(address).status == 200
    assert get_user_model().objects.count() == 0


def test_a_pasted_table_makes_a_guest_and_shows_the_plots_that_fit_it_first(nobody):
    page = nobody.send(nobody.get("/").form("/data"), text=SMALL)
    assert page.status == 200
    assert "2 rows, 2 columns read" in page.text
    assert page.text.index("Fits your table") < page.text.index("Basic Bar Chart") < page.text.index("Needs something")
    assert page.text.index("Needs something") < page.text.index("Basic Scatter Plot")
    assert get_user_model().objects.get().guest
    assert Dataset.objects.get().how == "paste"


def test_a_plot_that_fits_leads_to_the_agent_with_the_table(nobody):
    page = nobody.send(nobody.get("/").form("/data"), text=SMALL)
    table = Dataset.objects.get().pk
    assert f"/agent/?spec=bar-basic&library=matplotlib&language=python&dataset={table}" in page.links
    assert f"/plots/scatter-basic/python/matplotlib?dataset={table}" in page.links


def test_an_uploaded_file_is_read_under_its_name(nobody, penguins):
    form = nobody.get("/").form("/data")
    page = nobody.send(form, file=SimpleUploadedFile("My penguins.csv", penguins))
    assert "My penguins" in page.text
    assert "344 rows, 8 columns read" in page.text


@pytest.mark.parametrize("key", ["penguins", "weather", "power", "shares"])
def test_every_example_is_read(nobody, key):
    form = nobody.get("/").form("/data")
    assert key in form.buttons["example"]
    page = nobody.send(form, press=("example", key))
    assert page.status == 200
    assert "columns read" in page.text


@pytest.mark.parametrize(
    ("table", "status", "words"),
    [
        ("", 422, "There is no table yet: paste one, choose a file, or try an example."),
        ("   \n", 422, "There is no table yet"),
        ("a,b\n" + "1,2\n" * 75_000, 413, "This is too large"),
    ],
)
def test_a_table_that_is_refused_says_so_in_the_box(nobody, table, status, words):
    page = nobody.send(nobody.get("/").form("/data"), text=table)
    assert page.status == status
    assert words in page.text
    assert page.has("div", role="alert")
    assert Dataset.objects.count() == 0


def test_a_binary_file_is_refused_in_words(nobody):
    rubbish = SimpleUploadedFile("photo.jpg", bytes(range(256)) * 40)
    page = nobody.send(nobody.get("/").form("/data"), file=rubbish)
    assert page.status == 422
    assert "could not be read as a table" in page.text


def test_text_that_was_refused_is_still_in_the_box(nobody):
    text = "x" * (bounds.PASTE_BYTES + 1)
    page = nobody.send(nobody.get("/").form("/data"), text=text)
    assert page.form("/data").fields["text"][0].strip() == text


def test_the_search_leaves_what_matches(nobody):
    page = nobody.get("/?q=pie")
    assert "Basic Pie Chart" in page.text
    assert "Basic Histogram" not in page.text


def test_a_search_without_a_match_says_so_and_shows_the_way_back(nobody):
    page = nobody.get("/?q=unheard-of")
    assert "No plot matches this search." in page.text
    assert "Show all plots" in page.text


def test_a_library_filter_leads_to_that_library(nobody):
    assert "/plots/scatter-basic/python/seaborn" in nobody.get("/?library=seaborn").links


def test_a_strangers_table_is_not_there(as_alice, as_charlie, alice):
    dataset = upload(alice, data=SMALL.encode(), how="paste")
    assert as_alice.get(f"/?dataset={dataset.pk}").status == 200
    assert as_charlie.get(f"/?dataset={dataset.pk}").status == 404
    assert as_charlie.get("/?dataset=not-an-id").status == 404


def test_a_switched_off_agent_leaves_the_catalogue_and_hides_the_box(nobody, settings):
    settings.AGENT_ENABLED = False
    page = nobody.get("/")
    assert page.status == 200
    assert not [form for form in page.forms if form.action == "/data"]
    assert "My plots" not in page.text
    assert nobody.client.post("/data", {"text": SMALL}).status_code in (403, 404)


def test_where_guests_are_not_allowed_a_table_leads_to_the_sign_in(nobody, settings):
    settings.ANYPLOT_GUESTS = False
    form = nobody.get("/").form("/data")
    response = nobody.client.post("/data", {**form.fields, "text": SMALL})
    assert response.status_code == 302
    assert response["Location"].startswith("/admin/login/")
    assert get_user_model().objects.count() == 0


def test_a_form_without_its_token_is_refused_in_words(db):
    response = Client(enforce_csrf_checks=True).post("/data", {"text": SMALL})
    assert response.status_code == 403
    assert b"Please send it again." in response.content


def test_previews_are_small_cached_and_have_their_place_kept(nobody):
    page = nobody.get("/")
    shown = [picture for picture in page.pictures if "/previews/" in picture["src"]]
    assert len(shown) == 2 * len(catalogue.specs())
    for picture in shown:
        assert picture["width"] == "640"
        assert int(picture["height"]) > 0
        assert "320w" in picture["srcset"]
        assert "640w" in picture["srcset"]
        assert picture["loading"] == "lazy"
    answer = nobody.client.get(shown[0]["src"])
    assert answer.status_code == 200
    assert answer["Content-Type"] == "image/webp"
    assert "immutable" in answer["Cache-Control"]
    assert len(answer.content) < 60_000


def test_a_preview_is_kept_forever_only_under_the_address_of_its_version(nobody):
    given = nobody.client.get("/v1/catalogue/scatter-basic").json()["preview"]["light"]
    page = nobody.get("/")
    assert given in [picture["src"] for picture in page.pictures]  # programs and pages have one address
    assert "immutable" in nobody.client.get(given)["Cache-Control"]
    bare = given.partition("?")[0]
    for address in (bare, f"{bare}?v=1"):
        answer = nobody.client.get(address)
        assert (answer.status_code, answer["Cache-Control"]) == (200, "public, no-cache")


def test_every_committed_width_is_served_and_no_other(nobody):
    for width in bounds.PREVIEW_WIDTHS_PX:
        assert nobody.client.get(f"/previews/scatter-basic/matplotlib-light-{width}.webp").status_code == 200
    assert nobody.client.get("/previews/scatter-basic/matplotlib-light-100.webp").status_code == 404
