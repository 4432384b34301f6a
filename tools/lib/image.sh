# The steps of tools/image. Sourced, never run.
#
#   BUILD/image/storage   what buildah keeps
#   BUILD/image/cluster   a private PostgreSQL
# shellcheck shell=bash

readonly image_folder=$GAPLESS_BUILD/image
readonly ready_seconds_max=30
readonly oci_words=(
    buildah --root "$image_folder/storage" --runroot "$image_folder/run" --storage-driver vfs
)

# oci WORD...: buildah, with a storage of its own, which needs nothing of the kernel
oci()
{
    "${oci_words[@]}" "$@"
}

image_remove()
{
    rm -rf --one-file-system "$image_folder"
}

# image_base ARCHIVE: a bare Debian as localhost/base
image_base()
{
    require_space "$GAPLESS_BUILD" 5000 "building an image"
    make_folder "$image_folder" "the image"
    container=$(oci from scratch)
    oci add "$container" "$1" / >/dev/null
    oci commit --quiet --rm "$container" localhost/base >/dev/null
    container=
}

# image_build OPTIONS: as anyone would, but for the base, and the objects that ccache has
image_build()
{
    local objects
    objects=$(ccache --get-config cache_dir)
    mkdir -p "$objects"
    debs_export
    ccache --show-config | sed -nE '/^\(default\)|cache_dir = /d; s/^\([^)]*\) //p' \
        >"$image_folder/ccache.conf"
    say "building the image (minutes the first time); the output is in $image_folder.log"
    if ! oci build --isolation chroot --format docker --tag localhost/gapless \
        --build-arg BASE=localhost/base --build-arg "SOURCE=$gapless_root" \
        --build-arg "DEB_BUILD_OPTIONS=$1" --build-arg CCACHE_DIR=/var/cache/ccache \
        --volume "$objects:/var/cache/ccache" \
        --volume "$image_folder/ccache.conf:/etc/ccache.conf" "$debs_source" \
        >"$image_folder.log" 2>&1 </dev/null; then
        last_lines "$image_folder.log" 15
        fail "buildah could not build the image$(why_failed "$GAPLESS_BUILD"); its output is in" \
            "$image_folder.log"
    fi
}

# size_of IMAGE -> bytes of its files
size_of()
{
    local from place
    from=$(oci from "$1")
    place=$(oci mount "$from")
    du --summarize --bytes --one-file-system "$place" | cut -f1
    oci umount "$from" >/dev/null
    oci rm "$from" >/dev/null
}

# image_measure MEGABYTES: no more than that above its base
image_measure()
{
    local above
    above=$(($(size_of localhost/gapless) - $(size_of localhost/base)))
    say "the image has $((above / 1000)) kB more than its base"
    [[ $above -le $(($1 * 1000000)) ]] || fail "the image may have $1 MB more than its base"
}

# image_configuration: what whoever runs it relies on
image_configuration()
{
    local found
    found=$(oci inspect --type image localhost/gapless | jq --compact-output '.Docker.config
        | [.User, (.ExposedPorts | keys), (.Volumes | keys), .Entrypoint, .Healthcheck.Test]')
    local expected='["10001:10001",["8080/tcp"],["/var/lib/gapless"],["gaplessd"],'
    expected+='["CMD","gaplessd","--check"]]'
    [[ $found == "$expected" ]] || fail "the image is configured as $found, expected $expected"
}

# compose_configuration: compose.yaml is what it should be, and starts with no password of its own
compose_configuration()
{
    local compose=(docker-compose --file "$gapless_root/compose.yaml" config --quiet)
    GAPLESS_OWNER_PASSWORD=x GAPLESS_SERVICE_PASSWORD=y "${compose[@]}" \
        || fail "compose.yaml is not as it should be"
    ! "${compose[@]}" 2>/dev/null || fail "compose.yaml needs no password"
}

# inside WORD...: a command in the container, as its user
inside()
{
    oci run --isolation chroot --user 10001:10001 "$container" -- "$@"
}

# admin WORD...: gapless of the image, as the owner of the database
admin()
{
    oci run --isolation chroot --user 10001:10001 --env "GAPLESS_DATABASE_URL=$owner" "$container" \
        -- gapless "$@"
}

# is_ready: it listens, and says of itself that it is ready
is_ready()
{
    address=$(sed -nE 's/.*"listening".*"address": *"([^"]*)".*/\1/p' "$image_folder/gaplessd.log")
    [[ -n $address ]] && inside gaplessd --check "http://$address/readyz" >/dev/null 2>&1
}

# start_service OPTION...: gaplessd as compose.yaml starts it, on a free port -> $address
start_service()
{
    local deadline=$((SECONDS + ready_seconds_max)) service=${owner/gapless_owner:x@/gaplessd:y@}
    # In a session of its own: the signal reaches buildah and what it runs.
    setsid "${oci_words[@]}" run --isolation chroot --user 10001:10001 \
        --env "GAPLESS_DATABASE_URL=$service" "$container" \
        -- gaplessd --listen 127.0.0.1:0 "$@" >"$image_folder/gaplessd.log" 2>&1 &
    process=$!
    until is_ready; do
        if [[ $SECONDS -ge $deadline ]] || ! kill -0 "$process" 2>/dev/null; then
            last_lines "$image_folder/gaplessd.log" 5
            fail "gaplessd in the image is not ready"
        fi
        sleep 0.3
    done
}

stop_service()
{
    [[ -n $process ]] || return 0
    kill -- "-$process" 2>/dev/null || true
    wait "$process" 2>/dev/null || true
    process=
}

# image_run: the database of compose.yaml, migrate, gaplessd with and without a journal
image_run()
{
    local server token journal
    server=$("$gapless_root/tools/cluster" start "$image_folder/cluster" --fsync on | tail -n 1)
    psql --no-psqlrc --quiet "$server" \
        --command "create role gapless_owner superuser login password 'x'" \
        --command "create database gapless owner gapless_owner"
    owner=$(sed -E 's|//[^@]*@|//gapless_owner:x@|; s|/[^/]*$|/gapless|' <<<"$server")
    # As the image of PostgreSQL calls it, but that psql finds its server by itself there.
    PGHOST=127.0.0.1 PGPASSWORD=x PGPORT=$(sed -E 's|.*:([0-9]+)/.*|\1|' <<<"$server") \
        POSTGRES_USER=gapless_owner POSTGRES_DB=gapless GAPLESS_SERVICE_PASSWORD=y \
        "$gapless_root/share/container/roles.sh" || fail "share/container/roles.sh failed"

    container=$(oci from localhost/gapless)
    [[ $(inside id --user) == 10001 ]] || fail "the image runs as root"
    admin migrate up >/dev/null || fail "gapless migrate up failed in the image"
    admin series create s --carrier c >/dev/null
    admin block load s 1000 9999 --yes >/dev/null
    token=$(admin token create --name image --scope issue -o json | jq --raw-output .token)

    start_service
    [[ $(issue a) == 1000 ]] || fail "the image issues $(issue a), expected 1000"
    stop_service
    journal=$(inside find /var/lib/gapless -type f)
    [[ -n $journal ]] || fail "the image keeps no journal in /var/lib/gapless"
    ! inside gaplessd --check http://127.0.0.1:9 2>/dev/null || fail "gaplessd --check is never ill"

    oci run --isolation chroot "$container" -- find /var/lib/gapless -mindepth 1 -delete
    start_service --no-journal
    [[ $(issue b) == 1001 ]] || fail "the image does not issue with --no-journal"
    stop_service
    [[ -z $(inside find /var/lib/gapless -type f) ]] || fail "--no-journal keeps a journal"
}

# issue KEY -> the number
issue()
{
    curl --silent --show-error "http://$address/v1/series/s/numbers" \
        --header "Authorization: Bearer $token" --header "Idempotency-Key: $1" \
        --header 'Content-Type: application/json' --data '{"count":1}' \
        | jq --raw-output '.numbers[0]'
}
