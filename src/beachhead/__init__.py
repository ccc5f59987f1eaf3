"""Beachhead: an open engine and table for the D-Day Dice family of games."""

__version__ = "0.1.0"
