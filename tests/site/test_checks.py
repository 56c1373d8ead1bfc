"""A misconfiguration is a sentence with a hint."""

import pytest
from django.core.checks import run_checks

from anyplot_site import advice


def found() -> set[str]:
    """The ids of our own checks that complain."""
    return {message.id for message in run_checks() if (message.id or "").startswith("anyplot.")}


def test_the_embedded_profile_as_it_comes_has_nothing_to_complain_of():
    assert found() == set()


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"EMBEDDED": False, "AGENT_RENDERER": "fake"}, "anyplot.E001"),
        ({"EMBEDDED": False, "AGENT_RENDERER": "local"}, "anyplot.E001"),
        ({"EMBEDDED": False, "AGENT_SANDBOX": "landlock"}, "anyplot.E002"),
        ({"EMBEDDED": True, "HOST": "0.0.0.0"}, "anyplot.W001"),
        ({"EMBEDDED": False, "ANYPLOT_GUESTS": True, "ANYPLOT_GUESTS_PER_HOUR": 0}, "anyplot.W002"),
        ({"EMBEDDED": False, "AGENT_RUNS_PER_MINUTE": 0}, "anyplot.W003"),
    ],
)
def test_each_misconfiguration_is_found(settings, changes, complaint):
    settings.AGENT_RUNS_PER_MINUTE = 1
    for name, value in changes.items():
        setattr(settings, name, value)
    complaints = {message.id: message for message in run_checks()}
    assert complaint in complaints
    assert complaints[complaint].hint


@pytest.mark.sandbox
def test_advice_says_in_one_line_why_no_plot_can_be_drawn(settings, monkeypatch, capsys):
    from renderer_app.sandbox import check

    settings.HOST = "0.0.0.0"
    monkeypatch.setattr(check, "_known", None)
    monkeypatch.setattr(check, "probe", lambda: check.Availability(False, "none", "No user namespaces.", "Allow them."))
    advice.main()
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2
    assert lines[0].startswith("anyplot: HOST is 0.0.0.0")
    assert lines[1] == "anyplot: plots cannot be drawn on this machine: No user namespaces. Allow them."
