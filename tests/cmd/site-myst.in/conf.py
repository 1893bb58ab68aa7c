extensions = ["myst_parser"]
