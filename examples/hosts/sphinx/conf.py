project = "An array"
extensions = ["myst_parser"]
html_theme = "alabaster"
# Nothing of the site comes from another server.
html_js_files = [("https://playground.example/systolic-playground.mjs", {"type": "module"})]
