# The database, the series and the service that tools/up brings up. Sourced, never run.
# shellcheck shell=bash

readonly database=gapless
readonly series=dhl-paket
readonly carrier=dhl
readonly blocks=(
    "4901214213405250000 4901214213405500000"
    "4901214213505250000 4901214213505500000"
)
readonly first_key=first-three-numbers
readonly ready_seconds_max=60
readonly stop_seconds_max=20

# run_psql DATABASE: runs the SQL on standard input as superuser. The password goes through the
# environment, because everybody sees the arguments of a process.
run_psql()
{
    PGPASSWORD=$(<"$cluster/password") PGHOST=127.0.0.1 PGPORT=$(<"$cluster/port") \
        PGUSER=gapless PGDATABASE=$1 PGOPTIONS='-c client_min_messages=warning' \
        "$postgres_bin/psql" --no-psqlrc --quiet --tuples-only --no-align --set=ON_ERROR_STOP=1
}

# admin ARGUMENT...: the gapless program on our database.
admin()
{
    GAPLESS_DATABASE_URL=$(cluster_url "$cluster" "$database") "$programs/gapless" "$@"
}

# admin_or_fail PURPOSE ARGUMENT...: shows the program's own words where it fails.
admin_or_fail()
{
    local purpose=$1
    shift
    if ! admin "$@" >"$GAPLESS_HOME/setup.log" 2>&1 </dev/null; then
        last_lines "$GAPLESS_HOME/setup.log" 5
        fail "could not $purpose$(why_failed "$GAPLESS_HOME")"
    fi
}

# prepare_database: everything that is missing, and nothing else.
prepare_database()
{
    if [[ $(run_psql postgres <<<"select 1 from pg_database where datname = '$database'") != 1 ]]
    then
        run_psql postgres <<<"create database $database" || fail "could not create the database"
    fi
    admin_or_fail "migrate the database" migrate up --yes

    local ends listed
    if ! admin series show "$series" >/dev/null 2>&1 </dev/null; then
        admin_or_fail "create the series $series" series create "$series" --carrier "$carrier"
    fi
    listed=$(admin block list "$series" -o json </dev/null) || fail "could not list the blocks"
    for ends in "${blocks[@]}"; do
        if [[ $listed != *"\"${ends% *}\""* ]]; then
            admin_or_fail "load the block $ends" \
                block load "$series" "${ends% *}" "${ends#* }" --yes
        fi
    done
}

# service_url: gives the service its login, with a new password at every start, and prints the URL.
service_url()
{
    local password
    password=$(random_text)
    run_psql "$database" >/dev/null <<END || fail "could not set up the role gaplessd"
do \$\$
begin
    if not exists (select from pg_roles r where r.rolname = 'gaplessd') then
        create role gaplessd;
    end if;
end;
\$\$;
alter role gaplessd login password '$password';
grant gapless_service to gaplessd;
END
    printf 'postgresql://gaplessd:%s@127.0.0.1:%s/%s\n' \
        "$password" "$(<"$cluster/port")" "$database"
}

# start_service: sets service_pid. The service ends with this script, even if that is killed. A
# session of its own keeps the terminal's Ctrl-C away from it: the order of stopping is ours.
start_service()
{
    local url
    url=$(service_url)
    service_log=$GAPLESS_HOME/gaplessd.log
    if [[ -e $service_log ]]; then
        mv "$service_log" "$service_log.1"
    fi
    local options=(--listen "$listen")
    if [[ ! $listen =~ ^(127\.|localhost:|\[::1\]:) && -z ${GAPLESS_INSECURE:-} ]]; then
        say "$listen is no loopback address: plain HTTP there shows tokens to the network"
        options+=(--insecure)
    fi
    GAPLESS_DATABASE_URL=$url setsid setpriv --pdeathsig TERM \
        "$programs/gaplessd" "${options[@]}" </dev/null >>"$service_log" 2>&1 9>&- &
    service_pid=$!
}

# listening_address -> HOST:PORT to call; where port 0 was asked for, the log has the one it got.
listening_address()
{
    local host=${listen%:*} port=${listen##*:}
    if [[ $port == 0 ]]; then
        port=$(sed -nE '/"event": *"listening"/s/.*"address": *"[^"]*:([0-9]+)".*/\1/p' \
            "$service_log" | tail -n 1)
    fi
    case $host in
        0.0.0.0 | '[::]' | '*' | '') host=127.0.0.1 ;;
    esac
    printf '%s:%s\n' "$host" "$port"
}

# call PATH CURL_OPTION...: a request to the service, with the token where there is one.
call()
{
    local path=$1
    shift
    curl --silent --show-error --noproxy '*' --max-time 30 "$@" \
        --header @<(printf 'Authorization: Bearer %s\n' "${token:-none}") "$service_base$path"
}

# wait_for_service: sets service_base once the service is ready.
wait_for_service()
{
    local deadline=$((SECONDS + ready_seconds_max)) answer=
    while [[ $SECONDS -lt $deadline ]]; do
        kill -0 "$service_pid" 2>/dev/null || service_died
        service_base=http://$(listening_address)
        if [[ $service_base != *: ]]; then
            if answer=$(call /readyz --fail-with-body 2>/dev/null); then
                return
            fi
        fi
        sleep 0.1
    done
    last_lines "$service_log" 5
    fail "gaplessd is not ready after $ready_seconds_max s${answer:+: $answer}"
}

# service_died: the last words of a service that ended by itself.
service_died()
{
    local status=0
    { wait "$service_pid"; } 2>/dev/null || status=$?
    service_pid=
    last_lines "$service_log" 10
    if grep -qiE 'address already in use|EADDRINUSE' "$service_log"; then
        fail "$listen is in use; GAPLESS_LISTEN=127.0.0.1:PORT moves the service"
    fi
    fail "gaplessd ended by itself with status $status$(why_failed "$GAPLESS_HOME");" \
        "its log is $service_log"
}

# stop_service: lets running requests finish, and insists after a while.
stop_service()
{
    [[ -n ${service_pid:-} ]] || return 0
    local pid=$service_pid tenths
    service_pid=
    kill -TERM "$pid" 2>/dev/null || return 0
    for ((tenths = 0; tenths < stop_seconds_max * 10; tenths++)); do
        if ! kill -0 "$pid" 2>/dev/null; then
            wait "$pid" || say "gaplessd ended with status $?; its log is $service_log"
            return 0
        fi
        sleep 0.1
    done
    say "gaplessd did not stop within $stop_seconds_max s: killing it"
    kill -KILL "$pid" 2>/dev/null || true
}

# ensure_token: keeps the token of the env file while the service accepts it, else makes another.
ensure_token()
{
    token=$(sed -n "s/^export GAPLESS_TOKEN='\(.*\)'$/\1/p" "$GAPLESS_HOME/env" 2>/dev/null || true)
    local status
    status=$(call "/v1/series/$series" --output /dev/null --write-out '%{http_code}')
    if [[ $status != 200 ]]; then
        local made
        if ! made=$(admin token create --name up --scope issue,read,load,admin -o json \
            2>"$GAPLESS_HOME/setup.log" </dev/null); then
            last_lines "$GAPLESS_HOME/setup.log" 5
            fail "could not create a token"
        fi
        token=$(sed -nE 's/.*"token": *"([^"]+)".*/\1/p' <<<"$made" | head -n 1)
        [[ -n $token ]] || fail "gapless token create printed no token"
    fi
    (
        umask 077
        cat >"$GAPLESS_HOME/env.new" <<END
# Made by tools/up. To use it in a shell:  . $(printf '%q' "$GAPLESS_HOME/env")
export GAPLESS_URL='$service_base'
export GAPLESS_TOKEN='$token'
export GAPLESS_DATABASE_URL='$(cluster_url "$cluster" "$database")'
END
    ) || fail "could not write $GAPLESS_HOME/env$(why_failed "$GAPLESS_HOME")"
    mv "$GAPLESS_HOME/env.new" "$GAPLESS_HOME/env"
}

# show_first_numbers: issues them the first time; later the same key brings the same three back.
show_first_numbers()
{
    local headers=$GAPLESS_HOME/first.headers body what="the first three numbers"
    body=$(call "/v1/series/$series/numbers" --fail-with-body --request POST \
        --header "Idempotency-Key: $first_key" --header 'Content-Type: application/json' \
        --data '{"count":3}' --dump-header "$headers") || what="the first three numbers failed"
    if grep -qi '^idempotency-replayed: true' "$headers"; then
        what="the first three numbers again: the same key repeats its answer and takes nothing"
    fi
    rm -f "$headers"
    cat <<END

$what

  . $(printf '%q' "$GAPLESS_HOME/env")
  curl -X POST "\$GAPLESS_URL/v1/series/$series/numbers" \\
    -H "Authorization: Bearer \$GAPLESS_TOKEN" \\
    -H 'Idempotency-Key: $first_key' -H 'Content-Type: application/json' -d '{"count":3}'

$body

  The page for people is at $service_base/; sign in with \$GAPLESS_TOKEN.

END
}
