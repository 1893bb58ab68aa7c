#!/bin/sh
# The main job, on a small site: every link out of it, then its links made absolute.
set -eu
cd "$(dirname "$0")/.."
run() {
    echo
    echo "\$ rehref $*"
    cargo run --quiet --release -- "$@"
}
run extract -H -n corpus/sites/bakery
run rewrite --absolute --base http://bakery.example/=corpus/sites/bakery corpus/sites/bakery
