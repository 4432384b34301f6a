# What every script in tools/ shares: folders, messages, small helpers. Sourced, never run.
# shellcheck shell=bash

set -euo pipefail
umask 022
export LC_ALL=C.UTF-8
# Overruled by LC_ALL, but ccache takes objects made with another value for others.
export LANG=C.UTF-8
unset LC_CTYPE LC_MESSAGES

gapless_root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
script_name=tools/${0##*/}
readonly gapless_root script_name

# absolute PATH -> the same path, seen from the folder the caller stands in
absolute()
{
    case $1 in
        /*) printf '%s\n' "${1%/}" ;;
        *) printf '%s/%s\n' "$PWD" "${1%/}" ;;
    esac
}

# Both default to a folder of the repository, wherever the caller stands.
if [[ -n ${GAPLESS_BUILD:-} ]]; then
    GAPLESS_BUILD=$(absolute "$GAPLESS_BUILD")
else
    GAPLESS_BUILD=$gapless_root/build
fi
if [[ -n ${GAPLESS_HOME:-} ]]; then
    GAPLESS_HOME=$(absolute "$GAPLESS_HOME")
else
    GAPLESS_HOME=$gapless_root/.gapless
fi

say()
{
    printf '%s\n' "$*" >&2
}

# fail MESSAGE: ends the script with status 1 and one clear line.
fail()
{
    printf '%s: %s\n' "$script_name" "$*" >&2
    exit 1
}

# usage_error MESSAGE: the caller asked for something that does not exist.
usage_error()
{
    printf '%s: %s (see --help)\n' "$script_name" "$*" >&2
    exit 2
}

# need_value OPTION [VALUE]: a usage error where the value is missing.
need_value()
{
    [[ $# -ge 2 && -n $2 ]] || usage_error "$1 needs a value"
}

is_root()
{
    [[ $(id -u) -eq 0 ]]
}

# random_text -> 32 hexadecimal digits, 128 random bits
random_text()
{
    od -An -N16 -tx1 /dev/urandom | tr -d ' \n'
}

# free_mb FOLDER -> megabytes left on its file system; the folder need not exist yet
free_mb()
{
    local folder=$1
    while [[ ! -d $folder ]]; do
        folder=$(dirname "$folder")
    done
    df -Pm "$folder" | awk 'NR == 2 { print $4 }'
}

# require_space FOLDER MEGABYTES PURPOSE
require_space()
{
    local free
    free=$(free_mb "$1")
    if [[ $free -lt $2 ]]; then
        fail "$3 needs $2 MB of disk, but $1 has only $free MB left"
    fi
}

# why_failed FOLDER -> ": the disk … is full" when that is the likely reason, else nothing
why_failed()
{
    if [[ $(free_mb "$1") -lt 20 ]]; then
        printf ' (the disk that holds %s is full)' "$1"
    fi
}

# make_folder FOLDER PURPOSE
make_folder()
{
    mkdir -p "$1" 2>/dev/null || fail "cannot make the folder $1 for $2$(why_failed "$1")"
    [[ -w $1 ]] || fail "cannot write to the folder $1 for $2"
}

# port_answers HOST PORT: true when something accepts connections there.
port_answers()
{
    (exec 3<>"/dev/tcp/$1/$2") 2>/dev/null
}

# parallel_jobs -> compilers to run at once: one per processor, 1.5 GB of memory for each
parallel_jobs()
{
    local processors memory_mb jobs
    processors=$(nproc)
    memory_mb=$(awk '/^MemAvailable:/ { print int($2 / 1024) }' /proc/meminfo)
    jobs=$((memory_mb / 1500))
    if [[ $jobs -gt $processors ]]; then
        jobs=$processors
    fi
    if [[ $jobs -lt 1 ]]; then
        jobs=1
    fi
    printf '%s\n' "$jobs"
}

# last_lines FILE COUNT: the end of a log on standard error, indented.
last_lines()
{
    if [[ -s $1 ]]; then
        tail -n "$2" "$1" | sed 's/^/    /' >&2
    fi
}
