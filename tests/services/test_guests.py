"""Guests: who may become one, and how many of one address (EX5)."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from agents_app.models import Guest
from agents_app.refusals import Forbidden, TooOften
from agents_app.services.guests import address_hash, become_guest, is_guest

pytestmark = pytest.mark.django_db


def test_a_guest_is_a_user_without_a_password_and_its_address_is_not_stored():
    user = become_guest("203.0.113.7")
    assert is_guest(user)
    assert not user.has_usable_password()
    assert not user.is_staff
    assert "203.0.113.7" not in user.guest.address_hash


def test_where_guests_are_not_allowed_nobody_becomes_one(settings):
    settings.ANYPLOT_GUESTS = False
    with pytest.raises(Forbidden, match="no guests"):
        become_guest("203.0.113.7")
    assert not Guest.objects.exists()


def test_one_address_brings_at_most_the_hourly_number_of_guests(settings):
    settings.ANYPLOT_GUESTS_PER_HOUR = 3
    for _ in range(3):
        become_guest("203.0.113.7")
    with pytest.raises(TooOften, match="3 new guests") as refused:
        become_guest("203.0.113.7")
    assert 3500 < refused.value.retry_after_s <= 3600
    assert is_guest(become_guest("203.0.113.8")), "another address has its own count"


def test_after_an_hour_the_place_is_free_again(settings):
    settings.ANYPLOT_GUESTS_PER_HOUR = 2
    for minutes in (61, 10):
        guest = become_guest("203.0.113.7").guest
        Guest.objects.filter(pk=guest.pk).update(created_at=timezone.now() - timedelta(minutes=minutes))
    become_guest("203.0.113.7")
    with pytest.raises(TooOften) as refused:
        become_guest("203.0.113.7")
    assert 2900 < refused.value.retry_after_s <= 3000, "free when the one of ten minutes ago is an hour old"


def test_no_limit_where_it_is_zero(settings):
    settings.ANYPLOT_GUESTS_PER_HOUR = 0
    for _ in range(25):
        become_guest("203.0.113.7")
    assert Guest.objects.count() == 25


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", True),  # one household has a /64
        ("2001:db8:1:2::1", "2001:db8:1:3::1", False),
        ("::ffff:203.0.113.7", "203.0.113.7", True),
        ("203.0.113.7", "203.0.113.8", False),
        ("", "", True),  # a unix socket has no address
    ],
)
def test_addresses_count_by_household(one, other, same):
    assert (address_hash(one) == address_hash(other)) is same


def test_a_page_that_was_open_before_the_first_write_can_still_be_sent() -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.get("/")
    form = {"csrfmiddlewaretoken": browser.cookies["csrftoken"].value, "text": "city,people\nUlm,3\nBonn,5\n"}
    for _ in range(2):
        answer = browser.post("/agent/data", form)
        assert answer.status_code == 303
    assert Guest.objects.count() == 1
