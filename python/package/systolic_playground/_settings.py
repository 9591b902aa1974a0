"""Settings as the compiled part takes them."""


def settings_of(**given: object) -> dict[str, str]:
    """Texts by name, without those that are not set."""
    return {name: str(value) for name, value in given.items() if value is not None}
