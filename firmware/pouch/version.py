"""Which Pouch this is; as in pyproject.toml."""

VERSION = "0.1.0"
