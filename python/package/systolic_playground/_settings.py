"""Settings in the form that the compiled part accepts."""


def settings_of(**given: object) -> dict[str, str]:
    """Returns the settings as texts by name, without the settings that are not set."""
    return {name: str(value) for name, value in given.items() if value is not None}
