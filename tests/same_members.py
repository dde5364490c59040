#!/usr/bin/env python3
# Checks that AnyContext has every public non-template member of Context.
# SPDX-License-Identifier: MIT
"""same_members.py: no arguments. Compares the two headers in include/trotter/."""
import pathlib
import re
import sys

HEADERS = pathlib.Path(__file__).resolve().parent.parent / "include/trotter"
# Exceptions: members that depend on types unknown to AnyContext, or that it has under another name.
OF_CONTEXT_ALONE = {"engine", "system", "description"}


def public_members(header, head):
    """Names of the functions in the public part of the class whose definition begins with `head`, without templates."""
    text = re.sub(r"//[^\n]*", "", (HEADERS / header).read_text())
    public = text[text.rindex(head):].partition("private:")[0].partition("public:")[2]
    depth, declarations = 0, ""
    for character in public:  # bodies of functions are left out
        depth += character == "{"
        if depth == 0:
            declarations += character
        elif character == "}":
            depth -= 1
            declarations += ";" if depth == 0 else ""
    functions = (part.strip() for part in declarations.split(";"))
    names = (re.search(r"(\w+)\s*\(", function) for function in functions if not function.startswith(("template", "using")))
    # Skips constructors, recognized by initializers of members ending in `_`.
    return {name[1] for name in names if name and not name[1].endswith("_")} - {"AnyContext"}


def main():
    missing = public_members("context.hpp", "class Context<System") - public_members("any_context.hpp", "class AnyContext")
    wrong = [f"AnyContext has no {name}, which Context has" for name in sorted(missing - OF_CONTEXT_ALONE)]
    wrong += [f"{name} is no member of Context alone" for name in sorted(OF_CONTEXT_ALONE - missing)]
    print("\n".join(wrong) if wrong else "AnyContext has every member of Context that is no template")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
