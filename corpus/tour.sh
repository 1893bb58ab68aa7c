#!/bin/sh
# The main job, on a small site: every link out of it, then its links made absolute.
set -eu
cd "$(dirname "$0")/.."
# Not quiet: cargo shows what it compiles. Without optimization it takes a fraction of the time.
echo "Building rehref: about 2 minutes on 2 processors, and a moment the next time." >&2
cargo build --bin rehref
run() {
    echo
    echo "\$ rehref $*"
    cargo run --quiet --bin rehref -- "$@"
}
run extract -H -n corpus/sites/bakery
run rewrite --absolute --base http://bakery.example/=corpus/sites/bakery corpus/sites/bakery
