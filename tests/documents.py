#!/usr/bin/env python3
# Checks the links, paths and code blocks in README.md and docs/ against the repository.
# SPDX-License-Identifier: MIT
"""documents.py: no arguments. Checked are README.md and docs/**/*.md:

  links     a relative link leads to a file or folder, and its anchor to a heading of that page
  paths     a path in backticks, or in a shell block, that begins with a folder of the repository exists
  programs  the lines of a C++ block stand in a file of examples/, in this order and without others between them, up to a
            line `// …`, behind which the next lines may be from elsewhere
  options   each `--option` of `trotter` in a shell block is in the sources of the program
  length    README.md has at most 800 words, without blocks of code and tables
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
WORDS = 800
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.M | re.S)
LINK = re.compile(r"\[[^\]]*\]\(([^()\s]+)\)")
HEADING = re.compile(r"^#+ +(.*?) *$", re.M)
CODE = re.compile(r"`([^`\n]+)`")
# Only text that looks like a file is checked: formulas and results are in backticks, too.
PATH = re.compile(r"^[\w.-]+(/[\w.*-]+)+/?$|^[A-Z]\w*\.(md|txt|json)$")


def anchors(text):
    """Those that GitHub makes of the headings of a page."""
    result = set()
    for heading in HEADING.findall(FENCE.sub("", text)):
        heading = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading.replace("`", ""))
        name = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        number, first = 0, name
        while name in result:
            number += 1
            name = f"{first}-{number}"
        result.add(name)
    return result


def wrong_links(page, text):
    for target in LINK.findall(CODE.sub("", FENCE.sub("", text))):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        if not file.exists():
            yield f"the link {target} leads to no file"
        elif anchor and (file.suffix != ".md" or anchor not in anchors(file.read_text())):
            yield f"the link {target} leads to no heading"


def wrong_paths(page, text):
    folders = {path.name for path in ROOT.iterdir() if path.is_dir()} - {"build"}
    in_shell = [word for language, block in FENCE.findall(text) if language == "sh" for word in block.split() if "/" in word]
    for name in CODE.findall(FENCE.sub("", text)) + in_shell:
        name = re.sub(r":\d+$", "", name).replace("NAME", "*")
        if not PATH.match(name):
            continue
        first = name.split("/")[0]
        if "/" in name and first not in folders:
            continue
        bases = (ROOT, page.parent)
        if not any(any(base.glob(name.rstrip("/"))) for base in bases):
            yield f"there is no `{name}`"


def lines_of(text):
    return [line.strip() for line in text.splitlines() if line.strip()]


def wrong_programs(text, examples):
    for language, block in FENCE.findall(text):
        if language != "cpp":
            continue
        for part in re.split(r"^\s*// …$", block, flags=re.M):
            wanted = lines_of(part)
            if wanted and not any("\n".join(["", *wanted, ""]) in example for example in examples):
                yield f"no example has the lines that begin with: {wanted[0]}"


def wrong_options(text, program):
    for language, block in FENCE.findall(text):
        if language != "sh":
            continue
        for command in block.replace("\\\n", " ").splitlines():
            if not re.match(r"(\S*/)?trotter ", command):
                continue
            for option in re.findall(r" (--[a-z-]+)", command.split(" #")[0]):
                if option not in program:
                    yield f"the program has no option {option}"


def word_count(text):
    prose = "\n".join(line for line in FENCE.sub("", text).splitlines() if not line.startswith(("|", "    ")))
    return len(LINK.sub(lambda match: match[0].partition("](")[0], prose).split())


def main():
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    examples = ["\n".join(["", *lines_of(path.read_text()), ""]) for path in sorted((ROOT / "examples").glob("*.[hc]pp"))]
    program = "".join(path.read_text() for path in (ROOT / "src/program").rglob("*.[hc]pp"))
    wrong, links = [], 0
    for page in pages:
        text = page.read_text()
        links += len(LINK.findall(text))
        found = [*wrong_links(page, text), *wrong_paths(page, text), *wrong_programs(text, examples), *wrong_options(text, program)]
        wrong += [f"{page.relative_to(ROOT)}: {what}" for what in found]
    words = word_count(pages[0].read_text())
    if words > WORDS:
        wrong.append(f"README.md: {words} words, expected at most {WORDS}")
    print("\n".join(wrong) if wrong else f"{links} links in {len(pages)} pages; README.md has {words} words")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
