"""Checks infra/template.yaml: cfn-lint on the template and on what SAM makes of it, checkov on the latter, our own
rules (rules.py), and that each planted mistake (mistakes.py) is found. The last line counts what passed and failed."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

import mistakes
import rules

TEMPLATE, SETTINGS = "infra/template.yaml", "samconfig.toml"
PROGRAMS = Path(sys.executable).parent


class Left(NamedTuple):
    check: str
    resource: str  # its type, or its type and name
    reason: str


# checkov's findings that stay, and why. What is not here fails; what finds nothing any more fails too.
LEFT = [
    Left("CKV_AWS_27", "AWS::SQS::Queue", "false alarm: SqsManagedSseEnabled encrypts with SQS's own key"),
    Left("CKV_AWS_18", "AWS::S3::Bucket", "a log of accesses is a bucket more, and has the names of all notes"),
    Left(
        "CKV_AWS_115", "AWS::Lambda::Function.HealthFunction", "its route is throttled; small accounts have 10 copies"
    ),
    Left(
        "CKV_AWS_116",
        "AWS::Lambda::Function",
        "requests wait for their answer; the export has an OnFailure destination",
    ),
    Left(
        "CKV_AWS_117", "AWS::Lambda::Function", "IAM guards DynamoDB; only the export joins a network, the database's"
    ),
    Left(
        "CKV_AWS_119",
        "AWS::DynamoDB::Table",
        "AWS's key for DynamoDB; an own one costs by the month, and roles would need it",
    ),
    Left("CKV_AWS_158", "AWS::Logs::LogGroup", "CloudWatch encrypts; no log holds a document, token or note"),
    Left("CKV_AWS_173", "AWS::Lambda::Function", "no variable is secret: the password is read from Secrets Manager"),
]

# cfn-lint's warnings that stay: the defaults of parameters that may be left out are empty, which is no subnet or
# certificate. The template turns the two kinds off altogether for whoever runs `sam validate --lint`.
EMPTY_DEFAULTS = (
    ("W1030", "'' "),
    ("W1030", "{'Ref': 'CertificateArn'} "),
    ("W1035", "{'Fn::Select': [0, {'Ref': 'SecurityGroupIds'}]} "),
)


def lint(paths):
    """cfn-lint's findings, of any level, by file."""
    command = [PROGRAMS / "cfn-lint", "--format", "json", "--non-zero-exit-code", "none", "--", *paths]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"cfn-lint ended with {done.returncode}: {done.stderr}")
    found = {path: [] for path in paths}
    for item in json.loads(done.stdout):
        kind, message = item["Rule"]["Id"], item["Message"]
        if not any(kind == left and message.startswith(start) for left, start in EMPTY_DEFAULTS):
            where = "/".join(map(str, item["Location"]["Path"] or []))
            found[Path(item["Filename"])].append(f"{kind} {where}: {message}")
    return found


def checkov(paths):
    """checkov's failed checks by file, each with the resource."""
    files = [argument for path in paths for argument in ("-f", path)]
    command = [
        PROGRAMS / "checkov",
        *files,
        "--framework",
        "cloudformation",
        "--output",
        "json",
        "--skip-download",
        "--soft-fail",
    ]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"checkov ended with {done.returncode}: {done.stderr}")
    results = json.loads(done.stdout)["results"]
    found = {path: set() for path in paths}
    for item in results["failed_checks"]:
        found[Path(item["repo_file_path"])].add((item["check_id"], item["resource"], item["check_name"]))
    passed = {Path(item["repo_file_path"]) for item in results["passed_checks"]}
    if results["parsing_errors"] or passed != set(paths):
        raise RuntimeError(f"checkov could not read {results['parsing_errors'] or set(paths) - passed}")
    return found


def unexplained(found):
    """What checkov found beyond what is left on purpose."""
    return [
        f"{check} {resource}: {name}" for check, resource, name in sorted(found) if explanation(check, resource) is None
    ]


def explanation(check, resource):
    for left in LEFT:
        if left.check == check and (resource == left.resource or resource.startswith(f"{left.resource}.")):
            return left
    return None


class Tally:
    def __init__(self):
        self.passed = self.failed = 0

    def note(self, what, problems):
        problems = list(problems)
        if problems:
            self.failed += 1
            print(f"FAILED {what}", *problems, sep="\n         ")
        else:
            self.passed += 1
            print(f"ok     {what}")


def in_words(rule):
    return rule.__name__.replace("_", " ")


def broken_rules(stack):
    """The rules that a stack breaks. A rule that stumbles over it has found something as well."""
    for rule in rules.ALL:
        try:
            problems = list(rule(stack))
        except (AttributeError, IndexError, KeyError, TypeError, ValueError) as stumble:
            problems = [f"{type(stumble).__name__}: {stumble}"]
        if problems:
            yield rule


def main():
    tally = Tally()
    texts = {name: (rules.ROOT / name).read_text() for name in (TEMPLATE, SETTINGS)}
    stack = rules.Stack(texts[TEMPLATE], texts[SETTINGS])
    for rule in rules.ALL:
        tally.note(in_words(rule), rule(stack))

    sound = set(rules.ALL) - set(broken_rules(stack))  # the others find a mistake in anything
    caught_by_rule = set()
    with tempfile.TemporaryDirectory() as folder:

        def written(name, content):
            path = Path(folder, name).resolve()
            path.write_text(content)
            return path

        def translated(name, stack):
            plain = {section: part for section, part in stack.cloudformation.items() if section != "Metadata"}
            return written(name, json.dumps(plain, indent=1))

        real = [written("template.yaml", texts[TEMPLATE]), translated("template.json", stack)]
        planted = {}  # file -> mistake
        for number, mistake in enumerate(mistakes.ALL):
            if mistake.old not in texts[mistake.file]:
                tally.note(f"mistake: {mistake.what}", [f"{mistake.old!r} does not stand in {mistake.file} any more"])
                continue
            changed = texts | {mistake.file: texts[mistake.file].replace(mistake.old, mistake.new, 1)}
            wrong = rules.Stack(changed[TEMPLATE], changed[SETTINGS])
            if mistake.by == "rules":
                broken = sound & set(broken_rules(wrong))
                caught_by_rule |= broken
                by = ", ".join(sorted(map(in_words, broken)))
                tally.note(f"mistake: {mistake.what} ({by})", [] if broken else ["no rule found it"])
            else:
                planted[translated(f"{number}.json", wrong)] = mistake

        def planted_for(check):
            return [path for path, mistake in planted.items() if mistake.by == check]

        linted = lint(real + planted_for("cfn-lint"))
        tally.note("cfn-lint: the template", linted[real[0]])
        tally.note("cfn-lint: the template as CloudFormation gets it", linted[real[1]])
        checked = checkov([real[1]] + planted_for("checkov"))
        tally.note("checkov", unexplained(checked[real[1]]))
        used = {explanation(check, resource) for check, resource, _ in checked[real[1]]}
        tally.note(
            "checkov: what is left on purpose is still found",
            [f"{left.check} {left.resource}" for left in LEFT if left not in used],
        )
        for path, mistake in planted.items():
            found = linted[path] if mistake.by == "cfn-lint" else unexplained(checked[path])
            tally.note(f"mistake: {mistake.what} ({mistake.by})", [] if found else [f"{mistake.by} did not find it"])

    tally.note(
        "each rule finds one of the mistakes",
        [in_words(rule) for rule in rules.ALL if rule not in caught_by_rule],
    )
    print(f"{tally.passed} passed, {tally.failed} failed")
    return 1 if tally.failed else 0


if __name__ == "__main__":
    sys.exit(main())
