"""Values learned by self-play: games from which to learn (`selfplay`), the fit (`fit`), rounds of both (`rounds`)."""
