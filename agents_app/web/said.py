"""Template filter `said`: a sentence of a room as HTML, column names in backticks as code."""

import re

from django import template
from django.utils.html import conditional_escape
from django.utils.safestring import SafeString, mark_safe

register = template.Library()
QUOTED = re.compile(r"`([^`]+)`")


@register.filter
def said(text: str) -> SafeString:
    """`text` escaped, with what stands between backticks set as code."""
    return mark_safe(QUOTED.sub(r"<code>\1</code>", conditional_escape(text)))
