#!/usr/bin/env bash
# Divides a campaign among the children of an AWS Batch array job, and puts the parts together in a job that waits for it.
#
#   Deploy/aws-batch.sh QUEUE
#
# Edit aws-batch.json first: the image is one of your own with chaos-runner and scenarios.json in it, the file system an
# EFS that the compute environment reaches. CHAOS_SHARDS there is the size of the array here. A child that ends early is
# begun again by its retry strategy, and goes on from what it has written.
set -euo pipefail
queue=${1:?the name of the job queue is missing}
folder=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
definition=$(aws batch register-job-definition --cli-input-json "file://$folder/aws-batch.json" \
  --query jobDefinitionArn --output text)
job=$(aws batch submit-job --job-name chaos --job-queue "$queue" --job-definition "$definition" \
  --array-properties size=64 --query jobId --output text)
aws batch submit-job --job-name chaos-merge --job-queue "$queue" --job-definition "$definition" \
  --depends-on "jobId=$job" --container-overrides '{"command": ["chaos-runner", "merge", "/parts/"]}'
