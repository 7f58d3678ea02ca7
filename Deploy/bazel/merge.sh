#!/usr/bin/env bash
# Puts together what the shards wrote.
set -euo pipefail
runner=$1
shift
exec "$runner" merge "$@"
