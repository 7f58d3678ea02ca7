#!/usr/bin/env python3
"""Runs one part as Deploy/kubernetes.yaml says, and one as Deploy/aws-batch.json does, and asks botocore whether AWS
would take that file and what Deploy/aws-batch.sh submits.

    deploy.py PROGRAM FOLDER [OPTIONS of chaos-runner ...]
"""

import json
import os
import subprocess
import sys
import tempfile

import botocore.session
import botocore.validate
import ruamel.yaml

PROGRAM, FOLDER, ASKED = sys.argv[1], sys.argv[2], sys.argv[3:]


def fail(text):
    sys.exit(f"Tests/shards/deploy.py: {text}")


def run(command, variables):
    """The command of a container, with this program, this folder and these runs in the place of its own."""
    words = [PROGRAM if word == "chaos-runner" else word for word in command]
    words[words.index("--shard-results") + 1] = FOLDER + "/"
    at = words.index("--seeds")
    del words[at:at + 2]
    code = subprocess.run(words + ASKED, env={**os.environ, **variables}, stdout=subprocess.DEVNULL).returncode
    if code:
        fail(f"exit {code} of {words}")


# Kubernetes: the second of three parts.
documents = list(ruamel.yaml.YAML(typ="safe").load_all(open("Deploy/kubernetes.yaml")))
job = next(d for d in documents if d["kind"] == "Job")["spec"]
container = job["template"]["spec"]["containers"][0]
variables = {v["name"]: v["value"] for v in container["env"]}
if variables["CHAOS_SHARDS"] != str(job["completions"]):
    fail("kubernetes.yaml: CHAOS_SHARDS is not the number of completions")
run(container["command"] + container["args"], {"CHAOS_SHARDS": "3", "JOB_COMPLETION_INDEX": "1"})

# AWS Batch: the third; the size of the array is what AWS says itself.
definition = json.load(open("Deploy/aws-batch.json"))
model = botocore.session.get_session().get_service_model("batch")


def ask_botocore(operation, parameters):
    shape = model.operation_model(operation).input_shape
    report = botocore.validate.ParamValidator().validate(parameters, shape)
    if report.has_errors():
        fail(f"{operation}: {report.generate_report()}")


ask_botocore("RegisterJobDefinition", definition)
run(
    definition["containerProperties"]["command"],
    {"AWS_BATCH_JOB_ARRAY_INDEX": "2", "AWS_BATCH_JOB_ARRAY_SIZE": "3"})

# What aws-batch.sh submits, as a program called aws sees it.
with tempfile.TemporaryDirectory() as folder:
    with open(f"{folder}/aws", "w") as stub:
        stub.write(f'#!/bin/bash\nprintf "%s\\0" "$@" >>"{folder}/log"; printf "\\n" >>"{folder}/log"; echo id\n')
    os.chmod(f"{folder}/aws", 0o755)
    environment = {**os.environ, "PATH": folder + ":" + os.environ["PATH"]}
    subprocess.run(["Deploy/aws-batch.sh", "queue"], env=environment, stdout=subprocess.DEVNULL, check=True)
    calls = [line.split("\0")[:-1] for line in open(f"{folder}/log").read().splitlines()]
names = {
    "--job-name": "jobName", "--job-queue": "jobQueue", "--job-definition": "jobDefinition",
    "--array-properties": "arrayProperties", "--depends-on": "dependsOn", "--container-overrides": "containerOverrides",
}
submitted = []
for call in calls:
    if call[1] != "submit-job":
        continue
    parameters = {}
    for option, value in zip(call[2::2], call[3::2]):
        if option == "--array-properties":
            value = {"size": int(value.removeprefix("size="))}
        elif option == "--depends-on":
            value = [{"jobId": value.removeprefix("jobId=")}]
        elif option == "--container-overrides":
            value = json.loads(value)
        if option in names:
            parameters[names[option]] = value
    ask_botocore("SubmitJob", parameters)
    submitted.append(parameters)
size = definition["containerProperties"]["environment"][0]["value"]
if [p.get("arrayProperties") for p in submitted] != [{"size": int(size)}, None]:
    fail(f"aws-batch.sh submits {submitted}")
