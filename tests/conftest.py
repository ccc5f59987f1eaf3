"""For all tests: English is spoken wherever they run, also by the commands they start, and every word is there."""

from __future__ import annotations

import os

from beachhead.say import catalogue

for name in ("BEACHHEAD_LANG", "LC_MESSAGES", "LANG"):
    os.environ.pop(name, None)
os.environ["LC_ALL"] = "C.UTF-8"

catalogue.strict = True  # a message, argument or form that is in no catalogue raises, and is not said in English
