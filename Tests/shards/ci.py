#!/usr/bin/env python3
"""Runs the shell of action.yml and of Deploy/gitlab-ci.yml as a runner would, three times each: without an earlier
result, with the same one, and with one that is worse.

    ci.py PROGRAM FOLDER
"""

import os
import re
import shutil
import subprocess
import sys

import ruamel.yaml

PROGRAM, FOLDER = os.path.abspath(sys.argv[1]), sys.argv[2]
YAML = ruamel.yaml.YAML(typ="safe")
FINE = "--scenario 'receipt-store/naive/crash-*' --seeds 300"
WORSE = "--scenario 'receipt-store/naive/crash-b*' --seeds 200"
RED = "--scenario white-black-tables/naive/mixed --seed 2"


def fail(text):
    sys.exit(f"Tests/shards/ci.py: {text}")


def require(what, found, expected):
    if found != expected:
        fail(f"{what}: found {found!r}, expected {expected!r}")


def github(place, arguments, on_worse="warn"):
    """Runs the steps; returns the code, the outputs and what was printed."""
    action = YAML.load(open("action.yml"))
    values = {f"inputs.{name}": str(value.get("default", "")) for name, value in action["inputs"].items()}
    values |= {"inputs.command": PROGRAM, "inputs.arguments": arguments, "inputs.worse": on_worse}
    printed, code = "", 0
    summary = f"{place}/summary"
    open(summary, "w").close()
    for step in action["runs"]["steps"]:
        # Steps of others read what these leave.
        if "run" not in step or code:
            continue
        require(f"the shell of '{step['name']}'", step["shell"], "bash")
        output = f"{place}/output"
        open(output, "w").close()

        def resolve(text):
            return re.sub(r"\$\{\{ *([\w.-]+) *\}\}", lambda match: values.get(match[1], ""), text)

        variables = {name: resolve(text) for name, text in step.get("env", {}).items()}
        if "${{" in step["run"]:
            fail(f"'{step['name']}' has an expression in its shell, where anything may stand")
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]], cwd=place, text=True,
            env={**os.environ, **variables, "GITHUB_OUTPUT": output, "GITHUB_STEP_SUMMARY": summary},
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        printed += done.stdout
        code = done.returncode
        for line in open(output).read().splitlines():
            if re.match(r"[\w-]+=", line):
                name, value = line.split("=", 1)
                values[f"steps.{step.get('id')}.outputs.{name}"] = value
    return code, values, printed, open(summary).read()


def fresh(name):
    place = os.path.join(FOLDER, name)
    os.makedirs(place)
    shutil.copy("scenarios.json", place)
    return place


place = fresh("github")
code, values, _, summary = github(place, FINE)
require("a first result", (code, values["steps.campaign.outputs.exit-code"]), (0, "0"))
require("what is worse at first", values.get("steps.compare.outputs.worse"), None)
if not os.path.exists(f"{place}/chaos-report/index.html") or "scenarios" not in summary:
    fail("no report, or no summary")
code, values, _, summary = github(place, FINE)
require("the same again", (code, values["steps.compare.outputs.worse"]), (0, "false"))
if "No worse: findings" not in summary:
    fail("the summary does not compare")
code, values, printed, _ = github(place, WORSE)
require("a worse result", (code, values["steps.compare.outputs.worse"]), (0, "true"))
if "::warning title=chaos::Worse: findings" not in printed:
    fail("no warning of what is worse")
github(place, FINE)
require("a worse result that is to fail", github(place, WORSE, "fail")[0], 1)
code, values, printed, _ = github(place, RED)
require("a red result", (code, values["steps.campaign.outputs.exit-code"]), (1, "1"))
if "::error " not in printed:
    fail("no annotation of what broke")
print("GitHub action: its shell runs, compares and fails as it says")


def gitlab(place, arguments, on_worse="warn"):
    job = YAML.load(open("Deploy/gitlab-ci.yml"))[".chaos"]
    variables = {**job["variables"], "CHAOS_COMMAND": PROGRAM, "CHAOS_ARGUMENTS": arguments, "CHAOS_WORSE": on_worse}
    done = subprocess.run(
        ["sh", "-e", "-c", "\n".join(job["script"])], cwd=place, text=True, env={**os.environ, **variables},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return done.returncode, done.stdout


place = fresh("gitlab")
require("GitLab, a first result", gitlab(place, FINE)[0], 0)
code, printed = gitlab(place, FINE)
require("GitLab, the same again", (code, "No worse: findings" in printed), (0, True))
code, printed = gitlab(place, WORSE)
require("GitLab, a worse result", (code, "\nWorse: findings" in printed), (0, True))
gitlab(place, FINE)
require("GitLab, a worse result that is to fail", gitlab(place, WORSE, "fail")[0], 1)
require("GitLab, a red result", gitlab(place, RED)[0], 1)
if not os.path.exists(f"{place}/chaos-report/junit.xml"):
    fail("no JUnit report for GitLab")
print("GitLab template: its shell runs, compares and fails as it says")
