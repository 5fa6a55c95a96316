"""The viewer: models, runs, meshes and modes in the browser.

Scene       what the page shows (`scene.py`), made of a run, a model, a mesh, a reduced body or modes (`of_….py`)
serve       a server on this machine alone (`server.py`)
report      one file that opens without a server (`report.py`)

The page itself is built from `web/` into `static/`.
"""
