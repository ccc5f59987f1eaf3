"""The printed order of precedence, in one list.

Answers to a question are worked out in layers, lowest first, so that a later layer has the last word
(first edition F-PRECEDENCE-01, second edition S-PRECEDENCE-01). Each line says which rule forced its place.
"""

from __future__ import annotations

LAYERS: tuple[str, ...] = (
    "rules",  # S-PRECEDENCE-01 no. 6: overridden by all of the others
    "sector",  # no. 5: instructions printed in a Sector beat the general rules
    "scenario",  # no. 4 (second edition): Battle Map or Scenario description; the first edition has no such layer
    "specialist",  # no. 3
    "item",  # no. 2: Items and Vehicles share a place
    "award",  # no. 1: overrides everything else
)
LAYER = {name: place for place, name in enumerate(LAYERS)}

MODES: tuple[str, ...] = (
    "by",  # F-DEF-04: reductions add up first ...
    "at_most",  # F-ROLL-09: ... then a cap ...
    "set",  # F-CARD-BANGALORE-TORPEDO: ... then "becomes 0" has the last word of its layer
)
MODE = {name: place for place, name in enumerate(MODES)}
