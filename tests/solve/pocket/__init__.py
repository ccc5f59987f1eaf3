"""Express! and Battle! solved, against solvers that are slow and plain."""
