"""The site's settings in a home that no running copy uses, and that goes when the tests are over.

pytest-django reads the settings before any conftest, so the home must be chosen here. Processes that the tests
start (xdist's workers too) inherit it.
"""

import atexit
import os
import shutil
import tempfile

if "ANYPLOT_HOME" not in os.environ:
    os.environ["ANYPLOT_HOME"] = tempfile.mkdtemp(prefix="anyplot-test-")
    atexit.register(shutil.rmtree, os.environ["ANYPLOT_HOME"], ignore_errors=True)

from anyplot_site.settings import *  # noqa: F403
