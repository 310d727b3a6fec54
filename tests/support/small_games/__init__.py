"""Two small example games with the folders of real games, to copy from.

PEAKS is only scored; FORD also has turns. Neither is part of the app.
"""
