#!/usr/bin/env bash
# One shard of a campaign, as Bazel's test sharding numbers them.
set -euo pipefail
runner=$1
shift
exec "$runner" "$@" --shard bazel --shard-results "$TEST_UNDECLARED_OUTPUTS_DIR/"
