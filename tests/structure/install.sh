#!/usr/bin/env bash
# `meson install` leaves both commands, which start, and the schema for editors. Usage: install.sh BUILD_FOLDER
set -euo pipefail
destination=$(mktemp -d)
trap 'rm -rf "$destination"' EXIT
DESTDIR=$destination meson install -C "$1" --no-rebuild --quiet
for command in lbann-compile lbann-run; do
  path=$(find "$destination" -name "$command" -type f -perm -u+x)
  [ -n "$path" ] || { echo "$command is not installed"; exit 1; }
  "$path" --help > /dev/null || { echo "$path does not start"; exit 1; }
done
schema=$(find "$destination" -path '*/share/lbann/experiment.schema.json')
cmp "$schema" "$(dirname "$0")/../../schemas/generated/experiment.schema.json"
