import host_sim  # noqa: F401  it says what to do where a package is missing
