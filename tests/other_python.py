"""Python modules that a test needs and that this Python may lack."""
# SPDX-License-Identifier: MIT
import importlib.util
import os
import sys


def require(*modules):
    """Goes on in the Python that TROTTER_PYTHON names where this one lacks a module; exits with 77 where that one does, too."""
    missing = [module for module in modules if importlib.util.find_spec(module) is None]
    if not missing:
        return
    other = os.environ.get("TROTTER_PYTHON", "")
    if other and "TROTTER_PYTHON_TRIED" not in os.environ:
        os.execve(other, [other, *sys.argv], {**os.environ, "TROTTER_PYTHON_TRIED": "1"})
    print("skipped: these Python modules are not installed: " + ", ".join(missing))
    sys.exit(77)
