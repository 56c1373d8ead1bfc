"""Bearer tokens and the command that makes them."""

from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from agents_app.models import ApiToken
from agents_app.services.tokens import issue, revoke, user_of


def test_a_token_says_whose_it_is_and_only_its_hash_is_stored(alice):
    token, text = issue(alice, "laptop")
    assert user_of(text) == alice
    stored = ApiToken.objects.filter(pk=token.pk).values().get()
    assert not any(text in str(value) for value in stored.values())
    assert user_of(text + "x") is None
    assert user_of("") is None


def test_a_revoked_token_is_nobodys(alice):
    token, text = issue(alice, "laptop")
    assert revoke(token)
    assert user_of(text) is None
    assert not revoke(token), "a second time changes nothing"


def test_a_token_ends_when_its_days_are_over(alice):
    token, text = issue(alice, "laptop", days=1)
    assert user_of(text) == alice
    ApiToken.objects.filter(pk=token.pk).update(expires_at=timezone.now() - timedelta(seconds=1))
    assert user_of(text) is None


def test_a_token_of_somebody_who_may_not_sign_in_is_nobodys(alice):
    _, text = issue(alice, "laptop")
    alice.is_active = False
    alice.save()
    assert user_of(text) is None


def test_use_is_noted_but_not_written_at_every_call(alice, django_assert_num_queries):
    token, text = issue(alice, "laptop")
    user_of(text)
    token.refresh_from_db()
    assert token.used_at is not None
    with django_assert_num_queries(1):
        user_of(text)


def run(*words: str) -> tuple[str, str]:
    """(standard output, standard error) of the token command."""
    out, err = StringIO(), StringIO()
    call_command("token", *words, stdout=out, stderr=err)
    return out.getvalue(), err.getvalue()


def test_the_command_prints_the_new_token_alone(alice):
    out, err = run("create", "build server", "--user", "alice")
    assert user_of(out.strip()) == alice
    assert "only this once" in err
    assert ApiToken.objects.get().name == "build server"


def test_the_command_names_the_user_it_does_not_know(alice):
    with pytest.raises(CommandError, match="no user 'alicia'"):
        run("create", "x", "--user", "alicia")
    with pytest.raises(CommandError, match="--user USERNAME"):
        run("create", "x")
    with pytest.raises(CommandError, match="--days is 0"):
        run("create", "x", "--user", "alice", "--days", "0")


def test_the_command_takes_the_only_staff_user_when_none_is_named(alice, bob):
    bob.is_staff = True
    bob.save()
    assert user_of(run("create", "x")[0].strip()) == bob


def test_the_list_shows_good_tokens_and_never_their_text(alice):
    _, text = issue(alice, "good one")
    revoke(issue(alice, "old one")[0])
    out, _ = run("list")
    assert "good one" in out
    assert "old one" not in out
    assert text not in out
    assert "revoked" in run("list", "--all")[0]


def test_an_empty_list_says_how_to_make_a_token(alice):
    assert "token create NAME" in run("list")[1]


def test_revoke_ends_the_token_that_is_meant_and_does_not_guess(alice, bob):
    _, alices = issue(alice, "laptop")
    _, bobs = issue(bob, "laptop")
    with pytest.raises(CommandError, match="2 tokens are named 'laptop'"):
        run("revoke", "laptop")
    run("revoke", "laptop", "--user", "bob")
    assert user_of(bobs) is None
    assert user_of(alices) == alice
    with pytest.raises(CommandError, match="no good token 'laptop'"):
        run("revoke", "laptop", "--user", "bob")
    run("revoke", str(ApiToken.objects.get(user=alice).id))
    assert user_of(alices) is None
