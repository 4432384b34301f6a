# What runs in the namespaces of tools/fresh: mounts the tree, runs the command. Sourced, never run.
# shellcheck shell=bash

readonly up_seconds_max=3600   # packages and a build included
readonly stop_seconds_max=60
readonly left_seconds_max=5

# inside TREE PACKAGES up|test [OPTION...]: ends with the status of the command.
inside()
{
    local tree=$1 command=$3
    tree_mount "$1" "$2"
    shift 3
    if [[ $command == test ]]; then
        (tree_run "$tree" ./tools/test "$@") || exit
        return
    fi
    inside_up "$tree"
}

# inside_up TREE: tools/up as a new user meets it: wait, ask as it says, Ctrl-C.
inside_up()
{
    local log=$1/var/log/up.log pid
    : >"$log"
    # The first process of a session and group of its own, as in a terminal.
    (tree_run "$1" ./tools/up) > >(tee "$log") 2>&1 &
    pid=$!
    wait_until_up "$pid" "$log"
    ask_as_printed "$1" "$log"
    press_ctrl_c "$pid"
    require_nothing_left "$1"
}

# wait_until_up PID LOG: ends with the status of tools/up if it does not come up.
wait_until_up()
{
    local status=0 deadline=$((SECONDS + up_seconds_max))
    until grep -q '^gapless is up at ' "$2"; do
        if ! kill -0 "$1" 2>/dev/null; then
            wait "$1" || status=$?
            [[ $status -ne 0 ]] || fail "tools/up ended by itself"
            exit "$status"
        fi
        [[ $SECONDS -lt $deadline ]] || fail "tools/up is not up after $up_seconds_max s"
        sleep 0.5
    done
}

# ask_as_printed TREE LOG: the lines that tools/up prints, as they are; the same key has to bring
# the printed answer again.
ask_as_printed()
{
    local lines printed answer
    lines=$(sed -n '/^the first three numbers/,/^{/s/^  //p' "$2")
    printed=$(sed -n '/^the first three numbers/,/^{/{/^{/p}' "$2")
    [[ $lines == *curl* && $printed == *'"numbers"'* ]] \
        || fail "tools/up printed no request with its answer"
    if ! answer=$(tree_run "$1" bash -c "$lines" 2>"$1/var/log/ask.log"); then
        last_lines "$1/var/log/ask.log" 5
        fail "the printed request fails: $lines"
    fi
    [[ $answer == "$printed" ]] || fail "the printed request is answered otherwise: $answer"
    say "the printed request is answered as printed"
}

# press_ctrl_c PID: SIGINT reaches the whole group, as from a terminal; tools/up has to end with 0.
press_ctrl_c()
{
    local status=0 deadline=$((SECONDS + stop_seconds_max))
    kill -INT -- "-$1"
    while kill -0 "$1" 2>/dev/null; do
        [[ $SECONDS -lt $deadline ]] || fail "Ctrl-C did not stop tools/up in $stop_seconds_max s"
        sleep 0.2
    done
    wait "$1" || status=$?
    if [[ $status -ne 0 ]]; then
        say "Ctrl-C ended tools/up with status $status, not 0"
        exit "$status"
    fi
}

# left_running TREE -> the processes with the tree as their root, one a line; zombies have none
left_running()
{
    local process
    for process in "$1"/proc/[0-9]*; do
        if [[ $(readlink "$process/root") == "$1" ]]; then
            printf '%s %s\n' "${process##*/}" "$(tr '\0' ' ' <"$process/cmdline")"
        fi
    done 2>/dev/null
}

# require_nothing_left TREE: seconds later at most, what tools/up started has ended.
require_nothing_left()
{
    local left deadline=$((SECONDS + left_seconds_max))
    while left=$(left_running "$1") && [[ -n $left ]]; do
        [[ $SECONDS -lt $deadline ]] || fail "tools/up left running: $left"
        sleep 0.2
    done
}
