#!/bin/sh
# Calls every tool by the MCP Inspector's command line, a client that no one here wrote: over streams, then over HTTP.
# Run by hand: tests/protocol/inspector.sh PALACE INSPECTOR [streams|http], say
#   npm install --prefix /tmp/inspector @modelcontextprotocol/inspector
#   tests/protocol/inspector.sh .venv/bin/palace /tmp/inspector/node_modules/.bin/mcp-inspector
set -eu
palace=$1
inspector=$2
home=$(mktemp -d)
chmod 711 "$home"
export PALACE_HOME="$home" PALACE_WORKER_STARTS=false
server=
trap 'test -z "$server" || kill "$server"; "$palace" db stop >/dev/null; rm -rf "$home"' EXIT

ask() {
    echo "== $*"
    "$inspector" --cli "$@"
}
over_streams() {
    ask "$palace" mcp --profile "$profile" --timeout 120 --method "$@"
}
over_http() {
    ask http://127.0.0.1:18797/mcp --transport http --method "$@"
}

by_streams() {
    profile=full
    over_streams tools/list | grep '"name"'
    over_streams tools/call --tool-name remember --tool-arg 'text=Anna works at Bosch.' --tool-arg wing=Anna
    over_streams tools/call --tool-name recall --tool-arg 'query=where does Anna work?'
    over_streams tools/call --tool-name show --tool-arg pointer=W-001/R-01/D-001 --tool-arg context=1
    over_streams tools/call --tool-name recent --tool-arg days=7
    over_streams tools/call --tool-name timeline --tool-arg entity=Anna
    over_streams tools/call --tool-name relations
    over_streams tools/call --tool-name status
    over_streams tools/call --tool-name recall --tool-arg since=soon || echo "refused: $?"
    over_streams tools/call --tool-name show --tool-arg pointer=nonsense
    over_streams tools/call --tool-name dance || echo "refused: $?"
    over_streams tools/call --tool-name forget --tool-arg pointer=W-001/R-01/D-001
    profile=chatgpt
    over_streams tools/call --tool-name search --tool-arg 'query=where does Anna work?'
    over_streams tools/call --tool-name fetch --tool-arg id=W-001/R-01/D-001
    profile=readonly
    over_streams tools/list | grep '"name"'
}

by_http() {
    # This client sends no header of one's own, so there is no token to show.
    "$palace" mcp --http --port 18797 --timeout 120 --no-token 2>"$home/http.log" &
    server=$!
    until grep -q serving "$home/http.log"; do sleep 0.2; done
    over_http tools/list | grep '"name"'
    over_http tools/call --tool-name remember --tool-arg 'text=Anna works at Bosch.'
    over_http tools/call --tool-name recall --tool-arg 'query=where does Anna work?'
    over_http tools/call --tool-name forget --tool-arg pointer=W-001/R-01/D-001 | tee "$home/told"
    code=$(sed -n 's/.*"confirm": "\([a-z0-9-]*\)".*/\1/p' "$home/told")
    over_http tools/call --tool-name forget --tool-arg pointer=W-001/R-01/D-001 --tool-arg "confirm=$code"
    over_http tools/call --tool-name show --tool-arg pointer=W-001/R-01/D-001
}

for way in ${3:-streams http}; do "by_$way"; done
