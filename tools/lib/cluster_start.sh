# Starting and stopping the cluster of tools/lib/cluster.sh. Sourced, never run.
# shellcheck shell=bash

# cluster_prepare FOLDER on|off|copied: makes the folder a cluster unless it is one already.
cluster_prepare()
{
    cluster_choose_programs "$1"
    make_folder "$1" "PostgreSQL"
    cluster_choose_user "$1"
    if [[ ! -e $1/data ]]; then
        require_space "$1" 300 "a new PostgreSQL cluster"
        cluster_create "$1" "$2"
        return
    fi
    local major here
    major=$(cat "$1/data/PG_VERSION" 2>/dev/null) || major=unknown
    here=$("$postgres_bin/postgres" --version | sed -E 's/^[^0-9]*([0-9]+).*/\1/')
    if [[ $major != "$here" ]]; then
        fail "$1 was made by PostgreSQL $major, this is $here: move the folder away," \
            "or dump it with version $major and load it here"
    fi
    if [[ ! -s $1/password ]]; then
        fail "$1/password is gone, and nothing else opens this cluster"
    fi
}

# cluster_write_settings FOLDER [name=value...]: the last ones stay until others are given.
cluster_write_settings()
{
    local folder=$1 setting
    shift
    # shellcheck disable=SC2016
    cluster_settings "$folder" | cluster_run sh -c 'cat >"$1"' sh \
        "$folder/data/gapless.d/10-standard.conf" \
        || fail "cannot write the settings of PostgreSQL$(why_failed "$folder")"
    if [[ $# -gt 0 ]]; then
        for setting in "$@"; do
            printf "%s = '%s'\n" "${setting%%=*}" "${setting#*=}"
        done | cluster_run tee "$folder/data/gapless.d/20-asked.conf" >/dev/null
    fi
}

# cluster_launch FOLDER PORT: one attempt; false when the server did not come up.
cluster_launch()
{
    # Descriptors above 2 are locks of the caller, which the server must not keep.
    cluster_run "$postgres_bin/pg_ctl" start --wait --timeout=120 --silent \
        --pgdata="$1/data" --log="$1/log/postgres.log" --options="-p $2" \
        </dev/null >/dev/null 2>>"$1/log/pg_ctl.log" 3>&- 8>&- 9>&-
}

# cluster_clear_remains FOLDER: after a kill -9, lock files name a process that is gone, unreaped
# or somebody else by now, and PostgreSQL would refuse to start. They may only go once no process
# of the old server is left, because they are what protects the data from two servers.
cluster_clear_remains()
{
    local process attempt alive
    for attempt in {1..60}; do
        alive=
        for process in /proc/[0-9]*; do
            if [[ $process/cwd -ef $1/data ]]; then
                alive=${process#/proc/}
            fi
        done
        if [[ -z $alive ]]; then
            rm -f "$1/data/postmaster.pid" "$(cluster_socket_folder "$1")"/.s.PGSQL.*
            return
        fi
        sleep 0.5
    done
    fail "process $alive of an earlier PostgreSQL in $1 does not end (waited $((attempt / 2)) s)"
}

# cluster_wait_ready FOLDER: returns once the server that runs there answers; false when none does.
# Somebody else may have started it, and it may still be recovering. Only an answer counts: what
# was just killed still has its process, its lock file and, for a moment, its port.
cluster_wait_ready()
{
    local deadline=$((SECONDS + 120))
    while cluster_pid "$1" >/dev/null; do
        if "$postgres_bin/pg_isready" --quiet --host=127.0.0.1 --port="$(<"$1/port")"; then
            return
        fi
        if [[ $SECONDS -ge $deadline ]]; then
            fail "PostgreSQL runs but is not ready; its log is $1/log/postgres.log"
        fi
        sleep 0.1
    done
    false
}

# cluster_start FOLDER PORT|auto [name=value...]: returns once the server accepts connections.
# A server that runs already is left alone.
cluster_start()
{
    local folder=$1 port=$2 log=$1/log/postgres.log
    shift 2
    if cluster_wait_ready "$folder"; then
        return
    fi
    cluster_clear_remains "$folder"
    if [[ -f $log && $(stat -c %s "$log") -gt 10000000 ]]; then
        mv "$log" "$log.1"
    fi
    cluster_write_settings "$folder" "$@"

    local asked=$port
    for _ in {1..5}; do
        if [[ $asked == auto ]]; then
            port=$(cluster_free_port "$folder")
        fi
        printf '%s\n' "$port" >"$folder/port"
        if cluster_launch "$folder" "$port"; then
            return
        fi
        if tail -n 8 "$log" 2>/dev/null | grep -q 'Address already in use'; then
            [[ $asked == auto ]] || fail "port $port is in use"
            rm -f "$folder/port"
        else
            break
        fi
    done
    last_lines "$log" 8
    fail "PostgreSQL did not start$(why_failed "$folder"); its log is $log"
}

# cluster_stop FOLDER [fast|immediate|smart]: waits until it is gone.
cluster_stop()
{
    if ! cluster_pid "$1" >/dev/null; then
        return 0
    fi
    cluster_choose_programs "$1"
    cluster_choose_user "$1"
    cluster_run "$postgres_bin/pg_ctl" stop --wait --timeout=120 --silent \
        --mode="${2:-fast}" --pgdata="$1/data" >/dev/null 2>&1 \
        || fail "PostgreSQL did not stop; its log is $1/log/postgres.log"
}

# cluster_remove FOLDER: stops it without ceremony and deletes everything.
cluster_remove()
{
    cluster_stop "$1" immediate
    if [[ -s $1/socket_folder ]]; then
        rm -rf "$(<"$1/socket_folder")"
    fi
    rm -rf "$1"
}
