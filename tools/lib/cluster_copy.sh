# Data directories for tests, copied from what one initdb made. Sourced, never run.
#
# initdb takes two seconds of processor time, and a test needs nothing of it but that it is new. So
# the first one keeps what its initdb made in one file, and the others unpack that. It is a file and
# not a folder so that it is whole or not there, whoever clears the folder or comes second.
#
# A copy is a server of its own: it gets another system identifier, because gapless tells copies of
# a database by it. Only the superuser's password is the same in all copies of one user.
# shellcheck shell=bash

# cluster_prepared -> the file for this PostgreSQL and these options
cluster_prepared()
{
    local made_by
    made_by=$("$postgres_bin/postgres" --version && printf '%s\n' "${initdb_options[@]}")
    printf '%s/gapless-cluster-%s-%s.tar\n' "${GAPLESS_CLUSTER_CACHE:-${TMPDIR:-/tmp}}" \
        "$(id -u)" "$(sha256sum <<<"$postgres_bin $made_by" | cut -c 1-16)"
}

# cluster_copy FOLDER: FOLDER/data.new, unpacked, or made and kept where nobody did before.
cluster_copy()
{
    local prepared
    prepared=$(cluster_prepared)
    if [[ -s $1/password ]]; then
        cluster_initdb "$1" off
    # Others may write to the folder, too: what they put there is not ours to run.
    elif [[ -f $prepared && -O $prepared && ! -L $prepared ]]; then
        tar --extract --file="$prepared" --directory="$1" --same-permissions \
            || fail "cannot unpack $prepared$(why_failed "$1")"
        cluster_identify "$1"
    else
        cluster_initdb "$1" off
        cluster_keep "$1" "$prepared"
    fi
}

# cluster_keep FOLDER PREPARED: a test goes on where this is not possible.
cluster_keep()
{
    local new
    new=$(mktemp "$2.XXXXXX" 2>/dev/null) || return 0
    # Its WAL is made anew with the identifier.
    if ! tar --create --file="$new" --exclude='data.new/pg_wal/0*' --directory="$1" \
        data.new password 2>/dev/null || ! mv -T "$new" "$2" 2>/dev/null; then
        rm -f "$new"
    fi
}

# cluster_identify FOLDER: another system identifier, made as initdb makes it: of the time, and of
# something that two of the same second do not share. It is the first word of the control file;
# pg_resetwal then corrects the checksum and writes WAL of that identifier.
cluster_identify()
{
    local identifier shift
    identifier=$(($(date +%s) << 32 | 16#$(random_text | cut -c 1-8)))
    for shift in 0 8 16 24 32 40 48 56; do
        # shellcheck disable=SC2059
        printf "\\x$(printf '%x' $((identifier >> shift & 255)))"
    done | dd of="$1/data.new/global/pg_control" conv=notrunc status=none
    if ! cluster_run "$postgres_bin/pg_resetwal" --force --pgdata="$1/data.new" \
        >"$1/initdb.log" 2>&1; then
        last_lines "$1/initdb.log" 5
        fail "pg_resetwal failed$(why_failed "$1"); its output is in $1/initdb.log"
    fi
}
