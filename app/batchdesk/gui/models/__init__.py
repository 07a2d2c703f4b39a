"""Qt item models: an array of ids and a cache of the rows on screen."""
