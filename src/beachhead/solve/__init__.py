"""What can be worked out exactly: a turn of dice (`turn`), what it may be played for (`goals`), `beachhead odds`.

The rooms of the engine need nothing but Python; this one needs numpy, and is faster with numba (`fast`).
"""
