"""Two games that are not in the house: what it takes to bring another one. One is only scored, one is also tracked."""
