"""Names that are long for a score table."""

# Twenty letters each, in words of at most fourteen.
NAMES_OF_TWENTY_LETTERS = (
    "Maximiliana Ostrande",
    "Bartholomew Fitzroys",
    "Alexandria-Josephine",
    "Christopherson Leeds",
    "Evangelina Montenero",
    "Wilhelmina Hawthorne",
    "Theodora Castellanos",
)
