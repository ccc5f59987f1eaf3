"""Pictures from data, all as SVG: the battlefield of a map, icons, dice and Unit tokens.

board.board_svg(board)         the battlefield; see `board` for the ids and classes that a page works with
board.board_css()              its style sheet, for pages that keep it apart: board_svg(board, style=False)
plan.plan(board)               its geometry
marks.icons_svg()              one sprite of all icons
dice.die_svg("red", "star")    a die; a picture of its own that needs nothing from the page
tokens.unit_token("A")         a Unit's token as a group, for a slot of the battlefield
tokens.unit_token_svg("A")     the same as a picture of its own
"""
