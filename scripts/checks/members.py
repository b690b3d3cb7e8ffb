#!/usr/bin/env python3
"""No struct of the library has more members than a reader can keep in mind."""
import re

from common import CXX, ROOT, Report, tracked

MOST = 25
HEAD = re.compile(r"\b(?:struct|class)\s+([\w:]+)[^;{()]*\{")
NO_MEMBER = re.compile(r"(?:using|friend|static|enum|struct|class|template|typedef|extern)\b")
ACCESS = re.compile(r"^(?:(?:public|private|protected)\s*:\s*)+")


def body_of(text, start):
    """The text between the brace before `start` and the one that closes it, inner braces left out."""
    depth, out = 1, []
    for c in text[start:]:
        if c == "{":
            depth += 1
        elif c == "}":
            depth -= 1
            if depth == 0:
                break
            # A function's body ends its declaration; a member's initial value does not.
            if depth == 1 and ")" in "".join(out).rpartition(";")[2]:
                out.append(";")
        elif depth == 1:
            out.append(c)
    return "".join(out)


def count_members(body):
    count = 0
    for statement in body.split(";"):
        statement = ACCESS.sub("", statement.strip())
        statement = re.sub(r"\[\[.*?\]\]|alignas\([^)]*\)", "", statement).strip()
        statement = statement.partition("=")[0] + ("" if "," not in statement else
                                                   "," * statement.partition("=")[2].count(","))
        while "<" in statement:
            shorter = re.sub(r"<[^<>]*>", "", statement)
            if shorter == statement:
                break
            statement = shorter
        if not statement or "(" in statement or NO_MEMBER.match(statement):
            continue
        count += 1 + statement.count(",")
    return count


def main():
    report = Report("members")
    largest = (0, "")
    files = tracked("include", "src", suffixes=CXX)
    for path in files:
        text = re.sub(r"//[^\n]*", "", (ROOT / path).read_text())
        for head in HEAD.finditer(text):
            count = count_members(body_of(text, head.end()))
            largest = max(largest, (count, head.group(1)))
            if count > MOST:
                report.fail(path, text.count("\n", 0, head.start()) + 1,
                            f"{head.group(1)} has {count} members; at most {MOST}",
                            "group what belongs together in a struct of its own")
    report.finish(f"at most {largest[0]}, {largest[1]}")


main()
