"""Type and signs, generated from tools/fonts/*.txt by `python -m tools.fonts`: do not edit here."""
