"""The table of gates, the order of verdicts, and what they come to."""

import pytest

from agents_app import gates
from agents_app.gates.verdict import Verdict
from renderer_app.contract import Reason, RenderResult


def verdict(name, passed, *, blocking=True, asked=False, **details):
    return Verdict(name, passed, blocking, "text", asked=asked, details=details)


HOST = [verdict("R1", True), verdict("R2", True), verdict("R3", True)]


def test_verdicts_come_in_the_order_of_the_table(evidence):
    assert [v.id for v in gates.judge_evidence(evidence())] == ["R1", "R2", "R3", "G1", "G3", "G4", "G8"]
    assert [*gates.HOST_GATES, *gates.PROBE_GATES] == ["R1", "R2", "R3", "G1", "G2", "G3", "G4", "G8"]


def test_a_failed_script_is_judged_by_r1_alone(evidence):
    result = RenderResult("light", reason=Reason.EXIT, detail="The script ended with an error.")
    assert [v.id for v in gates.judge_evidence(evidence(result=result))] == ["R1"]


def test_every_verdict_says_something_to_a_person(evidence):
    for found in gates.judge_evidence(evidence()):
        assert found.text[0] == found.text[0].upper()
        assert found.text.endswith(".")
        assert found.as_json().keys() == {"id", "passed", "blocking", "text", "measured", "limit", "asked"}


@pytest.mark.parametrize(
    ("verdicts", "status"),
    [
        ([*HOST, verdict("G1", True)], "ok"),
        ([*HOST, verdict("G4", False)], "needs_attention"),
        ([*HOST, verdict("G4", False, asked=True)], "ok"),
        ([*HOST, verdict("G9", False, blocking=False)], "ok"),
        ([*HOST[:2], verdict("R3", False, padded=True)], "needs_attention"),
        ([*HOST[:2], verdict("R3", False, padded=False)], "failed"),
        ([verdict("R1", False)], "failed"),
        ([], "failed"),
    ],
)
def test_what_verdicts_come_to(verdicts, status):
    assert gates.status(verdicts) == status


def test_judge_takes_a_result_and_finds_the_expected_texts_itself(evidence):
    given = evidence()
    found = gates.judge(given.result, given.recipe.with_(labels={"x": "Other"}), given.spec, [])
    assert {v.id: v.passed for v in found}["G8"] is False
