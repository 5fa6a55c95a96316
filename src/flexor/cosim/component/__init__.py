"""Components that come with Flexor: its own engine, and FMUs."""
