"""Settings of all tests."""

from hypothesis import settings

settings.register_profile("without time", deadline=None)  # a test asserts no time, on whatever machine
settings.load_profile("without time")
