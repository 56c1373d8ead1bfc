"""What anybody may read: status, catalogue, eligibility, the docs."""

import pytest


def test_status_tells_the_queue_its_limits_and_the_renderer(anonymous, settings):
    found = anonymous.get("/v1/status").json()
    assert found["waiting"] == found["in_flight"] == 0
    assert found["paused"] is False
    assert found["concurrency"] == settings.AGENT_RUN_CONCURRENCY
    assert found["runs_per_minute"] == settings.AGENT_RUNS_PER_MINUTE
    assert found["max_wait_s"] == 600
    assert set(found["lanes"]) == {"premium", "standard", "batch"}
    assert set(found["workers"]) == {"run", "render"}
    assert {"backend", "sandbox", "available"} <= set(found["renderer"])
    assert (found["adapter"], found["model"]) == ("builtin", None)
    assert found["version"]


def test_the_catalogue_is_a_page_that_can_be_searched(anonymous):
    page = anonymous.get("/v1/catalogue").json()
    assert {"items", "total", "limit", "offset", "has_more"} == set(page)
    ids = [spec["id"] for spec in page["items"]]
    assert "scatter-basic" in ids
    found = anonymous.get("/v1/catalogue?q=scatter&library=seaborn&limit=1").json()
    assert len(found["items"]) == 1
    assert "scatter" in found["items"][0]["title"].lower()
    assert anonymous.get("/v1/catalogue?q=no+such+words").json()["items"] == []


def test_an_entry_has_roles_as_the_contract_names_them(anonymous):
    spec = anonymous.get("/v1/catalogue/scatter-basic").json()
    assert {"id", "title", "family", "description", "libraries", "roles", "tags", "preview"} <= set(spec)
    assert {"notes", "applications"} <= set(spec)
    for role in spec["roles"]:
        assert {"name", "types", "required", "family", "aggregate", "description"} <= set(role)


def test_a_script_comes_with_its_options_and_whether_it_can_be_adapted(anonymous):
    found = anonymous.get("/v1/catalogue/scatter-basic/python/seaborn").json()
    assert (found["spec"], found["language"], found["library"]) == ("scatter-basic", "python", "seaborn")
    assert "savefig" in found["code"]
    assert (found["eligible"], found["reasons"]) == (True, [])
    for option in found["options"]:
        assert {"name", "type", "default", "choices", "description"} <= set(option)
    assert set(found["preview"]) == {"light", "dark"}


def test_eligibility_says_yes(anonymous):
    found = anonymous.get("/v1/eligibility?spec=scatter-basic&library=matplotlib").json()
    assert found == {"eligible": True, "reasons": []}


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("/v1/catalogue/no-such-plot", "no-such-plot"),
        ("/v1/catalogue/scatter-basic/python/gnuplot", "gnuplot"),
        ("/v1/catalogue/scatter-basic/julia/seaborn", "julia"),
        ("/v1/eligibility?spec=no-such-plot&library=seaborn", "no-such-plot"),
    ],
)
def test_what_is_not_in_the_catalogue_is_named(anonymous, path, words):
    answer = anonymous.get(path)
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
    assert words in answer.json()["detail"]


def test_eligibility_without_a_plot_says_what_is_missing(anonymous):
    answer = anonymous.get("/v1/eligibility?library=seaborn")
    assert (answer.status_code, answer.json()["detail"]) == (422, "spec is missing.")


def test_the_docs_need_nothing_from_elsewhere(anonymous):
    page = anonymous.get("/v1/docs")
    assert page.status_code == 200
    assert b"https://" not in page.content
    assert b"<script>" not in page.content, "the site forbids inline scripts"
    schema = anonymous.get("/v1/openapi.json").json()
    assert "/v1/datasets" in schema["paths"]
    body = schema["paths"]["/v1/datasets"]["post"]["requestBody"]["content"]
    assert set(body) == {"application/json", "multipart/form-data"}
    assert {"Bearer", "Browser"} <= set(schema["components"]["securitySchemes"])
