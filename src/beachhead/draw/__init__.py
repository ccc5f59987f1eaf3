"""Pictures from data, all as SVG: the battlefield of a map, icons, dice and Unit tokens.

board_svg(board)            the battlefield; see `board` for the ids and classes that a page works with
board_css()                 its style sheet, for pages that keep it apart: board_svg(board, style=False)
plan(board)                 its geometry
icons_svg()                 one sprite of all icons
die_svg("red", "star")      a die; a picture of its own that needs nothing from the page
unit_token("A")             a Unit's token as a group, for a slot of the battlefield
unit_token_svg("A")         the same as a picture of its own
"""

from .board import board_css, board_svg
from .dice import die_svg
from .marks import icons_svg
from .plan import plan
from .tokens import unit_token, unit_token_svg

__all__ = ["board_css", "board_svg", "die_svg", "icons_svg", "plan", "unit_token", "unit_token_svg"]
