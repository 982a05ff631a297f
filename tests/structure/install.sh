#!/usr/bin/env bash
# What `meson install` leaves: commands that start, manual pages, completions that complete, the schema, the header for
# layers of one's own, experiments that compile where they lie, documents. Usage: install.sh BUILD_FOLDER
set -euo pipefail
source=$(cd "$(dirname "$0")/../.." && pwd)
destination=$(mktemp -d)
trap 'rm -rf "$destination"' EXIT
DESTDIR=$destination meson install -C "$1" --no-rebuild --quiet
fail() { echo "$*"; exit 1; }
share=$(find "$destination" -path '*/share' -type d)
programs=$(dirname "$(find "$destination" -name lbann-compile -type f -perm -u+x)")

for command in lbann-compile lbann-run; do
  "$programs/$command" --help > /dev/null || fail "$command does not start"
  # An option whose place in the page is its own paragraph, and no warning of the formatter.
  page=$(find "$destination" -path "*/man/man1/$command.1")
  [ -f "$page" ] || fail "no manual page of $command"
  if command -v man > /dev/null; then
    shown=$(MANROFFOPT=-ww MANWIDTH=100 man --warnings -l "$page" 2>&1)
    grep -q '^       --version$' <<< "$shown" || fail "no --version in the page of $command"
    grep -qE 'warning:|<standard input>:' <<< "$shown" && fail "warnings in the page of $command"
  fi
  # Every option that --help tells of is completed, and none that it does not.
  "$programs/$command" --help | grep -oE '^  (-[^ ]+)' | tr ',' '\n' | grep -oE '\-\-[a-zA-Z0-9_-]+' | sort -u > "$destination/told"
  completion=$share/bash-completion/completions/$command
  bash -c "source '$completion'; COMP_WORDS=($command --) COMP_CWORD=1; _${command//-/_}; printf '%s\n' \"\${COMPREPLY[@]}\"" |
    sort -u | diff "$destination/told" - || fail "completion of $command differs from --help"
  for shell in zsh fish; do
    file=$share/$([ $shell = zsh ] && echo "zsh/site-functions/_$command" || echo "fish/vendor_completions.d/$command.fish")
    [ -f "$file" ] || fail "no completion of $command for $shell"
    ! command -v $shell > /dev/null || $shell -n "$file" || fail "$shell cannot read the completion of $command"
  done
done
bash -c "source '$share/bash-completion/completions/lbann-compile'; COMP_WORDS=(lbann-compile --emit t) COMP_CWORD=2
  _lbann_compile; [ \"\${COMPREPLY[*]}\" = toml ]" || fail 'the values of --emit are not completed'

cmp "$share/lbann/experiment.schema.json" "$source/schemas/generated/experiment.schema.json"
find "$destination" -path '*/include/lbann/external_layer.h' | grep -q . || fail 'no header for layers of one'\''s own'
[ -f "$share/doc/lbann/language.md" ] || fail 'no documents'
cd "$share/lbann/experiments/lenet_digits"
[ -f "$(sed -n '1s/.*schema=//p' experiment.yaml)" ] || fail 'the first line of an experiment names no schema'
"$programs/lbann-compile" experiment.yaml -o "$destination/plan.bin"
