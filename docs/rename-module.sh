#!/usr/bin/env bash
# rename-module.sh NEW: gives this module another name, such as example.org/you/fibsbot,
# in go.mod and every import, and in texts that name packages by it. Run it anywhere in a clean checkout; look at
# `git diff`, then commit.
set -euo pipefail
new=${1:-}
[[ $new =~ ^[A-Za-z0-9._~-]+(/[A-Za-z0-9._~-]+)*$ ]] || { echo "usage: docs/rename-module.sh example.org/you/fibsbot" >&2; exit 2; }
cd "$(git rev-parse --show-toplevel)"
old=$(go list -m)
[ "$new" != "$old" ] || { echo "the module is called $old already" >&2; exit 2; }
[ -z "$(git status --porcelain)" ] || { echo "commit or stash your changes first" >&2; exit 2; }
go mod edit -module "$new"
quoted=$(printf '%s' "$old" | sed 's/[.[\*^$/]/\\&/g')
# Imports and other quoted package paths in Go files; go list patterns; linker flags.
git ls-files -z -- '*.go' | xargs -0 sed -i "s#\"$quoted/#\"$new/#g"
git ls-files -z -- '*.go' '*.sh' '.ci' 'docs/deploy' | xargs -0 sed -i "s#\\([ =\"]\\)$quoted/\\.\\.\\.#\\1$new/...#g; s#-X $quoted/#-X $new/#g"
git ls-files -z -- 'docs/library.md' | xargs -0 sed -i "s#\\([\`\"]\\)$quoted/#\\1$new/#g"
gofmt -w $(git diff --name-only -- '*.go')
go build ./... && go vet ./...
echo "renamed $old to $new in $(git diff --name-only | wc -l) files"
