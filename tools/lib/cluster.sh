# A private PostgreSQL in a folder of its own. Sourced, never run; tools/cluster is the command.
#
#   FOLDER/data          the data directory, owned by the user the server runs as
#   FOLDER/run           its socket, unless the path is too long: then a folder under /tmp
#   FOLDER/log           postgres.log
#   FOLDER/port          the port it had last, and keeps while it is free
#   FOLDER/password      of the superuser `gapless`, mode 600
#
# Every connection needs the password, so the socket may be reached by any user: the service need
# not run as the user of the server.
# shellcheck shell=bash

readonly socket_path_bytes_max=107
postgres_bin=      # of the cluster at hand, see cluster_choose_programs
cluster_server=()  # the command in front of everything that runs as the server's user

# cluster_choose_programs FOLDER: the server that made it, as after Debian 12 became 13; or the
# newest one for a new cluster.
cluster_choose_programs()
{
    postgres_bin=$("$gapless_root/tools/lib/postgres_bin" "$1")
    [[ -x $postgres_bin/initdb ]] \
        || fail "PostgreSQL is not in $postgres_bin (GAPLESS_PG_BIN is the folder)"
}

# cluster_choose_user FOLDER: PostgreSQL refuses to run as root, so root hands over to `postgres`.
cluster_choose_user()
{
    cluster_server=()
    is_root || return 0
    id postgres >/dev/null 2>&1 \
        || fail "PostgreSQL does not run as root and there is no user postgres to run it as"

    local user=(setpriv --reuid=postgres --regid=postgres --init-groups)
    local capability
    if (cd / && "${user[@]}" stat "$1/.") >/dev/null 2>&1; then
        cluster_server=("${user[@]}")
        return
    fi
    # A folder above is closed to others, /root for example: one capability opens it.
    for capability in dac_read_search dac_override; do
        cluster_server=("${user[@]}" "--inh-caps=+$capability" "--ambient-caps=+$capability")
        if (cd / && "${cluster_server[@]}" stat "$1/.") >/dev/null 2>&1; then
            return
        fi
    done
    fail "the user postgres cannot reach $1; set GAPLESS_HOME to a folder outside of /root"
}

# As the server's user, from a folder that everybody may enter.
cluster_run()
{
    (cd / && exec "${cluster_server[@]}" env -u PGDATABASE -u PGHOST -u PGPORT -u PGUSER "$@")
}

# cluster_pid FOLDER -> the process id of the running server; fails when there is none
cluster_pid()
{
    local pid
    pid=$(head -n 1 "$1/data/postmaster.pid" 2>/dev/null) || return 1
    [[ $pid =~ ^[0-9]+$ && -d /proc/$pid ]] || return 1
    # After a crash the number may belong to somebody else by now.
    local state folder
    state=$(sed -E 's/^[0-9]+ \((.*)\) (.).*/\1 \2/' "/proc/$pid/stat" 2>/dev/null) || return 1
    [[ $state == "postgres "[!ZX] ]] || return 1
    folder=$(readlink "/proc/$pid/cwd" 2>/dev/null) || folder=$1/data
    [[ $folder -ef $1/data ]] || return 1
    printf '%s\n' "$pid"
}

# cluster_url FOLDER [DATABASE] -> libpq URL of the superuser
cluster_url()
{
    printf 'postgresql://gapless:%s@127.0.0.1:%s/%s\n' \
        "$(<"$1/password")" "$(<"$1/port")" "${2:-postgres}"
}

# cluster_create FOLDER on|off|copied: a data directory, in one step that either happened or did
# not: from initdb, flushed or not, or from what an earlier one made (cluster_copy.sh).
cluster_create()
{
    local new=$1/data.new
    rm -rf "$new" "$1/run" "$1/log"
    mkdir "$new" "$1/run" "$1/log"
    chmod 700 "$new"
    if is_root; then
        chown postgres: "$new" "$1/run" "$1/log"
    fi
    if [[ $2 == copied ]]; then
        cluster_copy "$1"
    else
        cluster_initdb "$1" "$2"
    fi
    mv "$new" "$1/data"
}

readonly initdb_options=(--username=gapless --auth=scram-sha-256 --data-checksums --encoding=UTF8
    --locale=C.UTF-8 --lc-messages=C)

# cluster_initdb FOLDER FSYNC: FOLDER/data.new
cluster_initdb()
{
    local new=$1/data.new sync=()
    if [[ ! -s $1/password ]]; then
        (umask 077 && random_text >"$1/password")
    fi
    # initdb wants the password in a file that the server's user can read.
    # shellcheck disable=SC2016
    cluster_run sh -c 'umask 077 && cat >"$1"' sh "$1/run/password" <"$1/password"
    [[ $2 == on ]] || sync=(--no-sync)
    if ! cluster_run "$postgres_bin/initdb" --pgdata="$new" --pwfile="$1/run/password" \
        "${initdb_options[@]}" "${sync[@]}" >"$1/initdb.log" 2>&1; then
        last_lines "$1/initdb.log" 5
        fail "initdb failed$(why_failed "$1"); its output is in $1/initdb.log"
    fi
    rm -f "$1/run/password"
    printf "%s\n" "include_dir = 'gapless.d'" >>"$new/postgresql.conf"
    cluster_run mkdir "$new/gapless.d"
}

# cluster_socket_folder FOLDER -> where its socket goes
cluster_socket_folder()
{
    local socket=$1/run/.s.PGSQL.65535
    if [[ ${#socket} -le $socket_path_bytes_max ]]; then
        printf '%s\n' "$1/run"
        return
    fi
    local folder
    folder=$(cat "$1/socket_folder" 2>/dev/null) || folder=
    if [[ ! -d $folder ]]; then
        folder=$(mktemp -d /tmp/gapless-socket-XXXXXX)
        chmod 755 "$folder"
        if is_root; then
            chown postgres: "$folder"
        fi
        printf '%s\n' "$folder" >"$1/socket_folder"
    fi
    printf '%s\n' "$folder"
}

# cluster_free_port FOLDER -> the port of last time if it is free, else another
cluster_free_port()
{
    local port
    port=$(cat "$1/port" 2>/dev/null) || port=$((20000 + RANDOM % 12000))
    for _ in {1..50}; do
        if ! port_answers 127.0.0.1 "$port"; then
            printf '%s\n' "$port"
            return
        fi
        port=$((20000 + RANDOM % 12000))  # below the ports the kernel gives to clients
    done
    fail "found no free port for PostgreSQL"
}

# cluster_settings FOLDER -> the settings every private cluster has
cluster_settings()
{
    local memory_mb buffers_mb=128 socket_folder
    socket_folder=$(cluster_socket_folder "$1")
    memory_mb=$(awk '/^MemTotal:/ { print int($2 / 1024) }' /proc/meminfo)
    if [[ $memory_mb -ge 4000 ]]; then
        buffers_mb=512
    elif [[ $memory_mb -ge 2000 ]]; then
        buffers_mb=256
    fi
    cat <<END
listen_addresses = '127.0.0.1'
unix_socket_directories = '${socket_folder//\'/\'\'}'
max_connections = 300
shared_buffers = ${buffers_mb}MB
fsync = on
synchronous_commit = on
full_page_writes = on
min_wal_size = 1GB
max_wal_size = 4GB
checkpoint_timeout = 15min
jit = off
timezone = 'UTC'
log_timezone = 'UTC'
lc_messages = 'C'
log_line_prefix = '%m [%p] %q%u@%d '
logging_collector = off
END
}
