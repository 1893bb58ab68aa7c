#!/bin/sh
# The main job, on a small site: every link out of it, then its links made absolute.
set -eu
cd "$(dirname "$0")/.."
# Not quiet: cargo shows what it compiles. Without optimization it takes a fraction of the time.
echo "Building rehref without optimization: 4 to 5 processor minutes, so 2 to 3 minutes on 2 processors." >&2
echo "The next time takes a moment. \`pip install rehref\` installs the command without compiling." >&2
cargo build --bin rehref
run() {
    echo
    echo "\$ rehref $*"
    cargo run --quiet --bin rehref -- "$@"
}
run extract -H -n corpus/sites/bakery
run rewrite --absolute --base http://bakery.example/=corpus/sites/bakery corpus/sites/bakery
