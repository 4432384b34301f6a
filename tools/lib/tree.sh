# A bare Debian in a folder, for tools/fresh. Sourced, never run.
#
#   CACHE/SUITE.tar      the bare system, made by mmdebstrap
#   CACHE/SUITE.recipe   what it was made from; another recipe makes it anew
#   CACHE/SUITE-packages what apt downloaded in there
#   CACHE/tree-XXXXXX    the unpacked system of a run, removed at its end
# shellcheck shell=bash

readonly tree_days_max=30  # then the bare system is made anew, with Debian's updates

# tree_sources SUITE -> one-line sources of Debian's main, as this machine's apt has them
tree_sources()
{
    local own uri release component origin
    own=$(. /etc/os-release && printf '%s\n' "${VERSION_CODENAME:-}")
    [[ -n $own ]] || fail "/etc/os-release does not name the Debian of this machine"
    # shellcheck disable=SC2016
    apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(COMPONENT) $(ORIGIN)' \
        'Created-By: Packages' | while read -r uri release component origin; do
        # Before the first apt-get update, apt does not know the origin.
        [[ $component == main && $origin =~ ^(Debian|\$\(ORIGIN\))$ ]] || continue
        [[ $release == "$own" || $release == "$own"-updates || $release == "$own"-security ]] \
            || continue
        printf 'deb %s %s main\n' "$uri" "$1${release#"$own"}"
    done | sort -u
}

# tree_apt_settings -> how this machine reaches its sources (proxies, retries), for apt.conf
tree_apt_settings()
{
    apt-config dump Acquire | grep -E '^Acquire::(https?|Check-|Force|Retries|Queue-)' || true
    printf 'Acquire::Languages "none";\n'
}

# tree_prepare CACHE SUITE: makes the bare system unless it is there, complete or not at all.
tree_prepare()
{
    local archive=$1/$2.tar recipe=$1/$2.recipe packages=ccache wanted sources
    mapfile -t sources < <(tree_sources "$2")
    [[ ${#sources[@]} -gt 0 ]] || fail "apt on this machine has no source of Debian's main"
    # Besides what makes builds quick, only what apt needs to get anything at all.
    [[ ${sources[*]} != *https:* ]] || packages+=,ca-certificates
    wanted=$(printf '%s\n' "${sources[@]}" "$packages" && tree_apt_settings)
    if [[ -e $archive && $wanted == "$(cat "$recipe" 2>/dev/null)" \
        && -n $(find "$archive" -mtime -"$tree_days_max") ]]; then
        return
    fi

    require_space "$1" 1000 "a bare Debian"
    say "making a bare $2 (a minute)"
    rm -f "$archive" "$recipe"
    tree_apt_settings >"$1/apt.conf.new"
    if ! mmdebstrap --mode=root --variant=minbase --components=main --include="$packages" \
        --format=tar --aptopt="$1/apt.conf.new" --dpkgopt=force-unsafe-io \
        "$2" "$archive.new" "${sources[@]}" </dev/null >"$1/$2.log" 2>&1; then
        last_lines "$1/$2.log" 8
        fail "mmdebstrap could not make a bare $2$(why_failed "$1"); its output is in $1/$2.log"
    fi
    rm -f "$1/apt.conf.new"
    mv "$archive.new" "$archive"
    printf '%s\n' "$wanted" >"$recipe"
}

# tree_unpack CACHE SUITE TREE: the bare system with what is committed at HEAD. The sources are in
# the same folder as here, because then ccache takes what is compiled here and there for the same.
tree_unpack()
{
    local git=(git -c "safe.directory=$gapless_root" -C "$gapless_root")
    require_space "$1" 6000 "a bare Debian in use"
    chmod 755 "$3"
    tar --extract --numeric-owner --file "$1/$2.tar" --directory "$3"
    mkdir -p "$3$gapless_root"
    if [[ -n $("${git[@]}" status --porcelain) ]]; then
        say "there are changes that are not committed; they are not in the tree"
    fi
    "${git[@]}" archive --format=tar HEAD \
        | tar --extract --no-same-owner --directory "$3$gapless_root" \
        || fail "could not copy what is committed to $3"
    cat /etc/resolv.conf >"$3/etc/resolv.conf"
    cat /etc/hosts >"$3/etc/hosts"
    ccache --show-config | sed -nE '/^\(default\)|cache_dir = /d; s/^\([^)]*\) //p' \
        >"$3/etc/ccache.conf"
}

# tree_mount TREE PACKAGES: what a system finds when it starts, and the caches. Only in a mount
# namespace of its own, with which all of it ends.
tree_mount()
{
    local device objects
    mount -t proc proc "$1/proc"
    mount --rbind --make-rslave /sys "$1/sys"
    mount -t tmpfs -o mode=755 tmpfs "$1/dev"
    mkdir "$1/dev/pts" "$1/dev/shm"
    for device in null zero full random urandom tty; do
        : >"$1/dev/$device"
        mount --bind "/dev/$device" "$1/dev/$device"
    done
    mount -t devpts -o newinstance,ptmxmode=666,mode=620,gid=5 devpts "$1/dev/pts"
    mount -t tmpfs -o mode=1777 tmpfs "$1/dev/shm"
    ln -s pts/ptmx "$1/dev/ptmx"
    ln -s /proc/self/fd "$1/dev/fd"
    ln -s fd/0 "$1/dev/stdin"
    ln -s fd/1 "$1/dev/stdout"
    ln -s fd/2 "$1/dev/stderr"

    objects=$(ccache --get-config cache_dir)
    mkdir -p "$objects" "$1/var/cache/ccache" "$2"
    mount --bind "$objects" "$1/var/cache/ccache"
    mount --bind "$2" "$1/var/cache/apt/archives"
}

# tree_run TREE COMMAND...: as root in the tree's copy of the sources. Of the environment it gets
# the way to the network and to the cache.
tree_run()
{
    local tree=$1 environment name
    shift
    environment=(
        HOME=/root USER=root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
        "TERM=${TERM:-dumb}" "GAPLESS_LISTEN=${GAPLESS_LISTEN:-127.0.0.1:0}"
        CCACHE_DIR=/var/cache/ccache CCACHE_CONFIGPATH=/etc/ccache.conf
    )
    for name in http_proxy https_proxy no_proxy ftp_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY CI; do
        [[ -z ${!name:-} ]] || environment+=("$name=${!name}")
    done
    # A caller in the background ignores SIGINT, and what it starts could not be stopped by Ctrl-C.
    # shellcheck disable=SC2016
    exec chroot "$tree" /usr/bin/env -i --default-signal=INT,QUIT "${environment[@]}" \
        setsid bash -c 'cd "$1" && shift && exec "$@"' bash "$gapless_root" "$@"
}

# tree_remove TREE: its mounts are gone with their namespace, or were never seen from here.
tree_remove()
{
    local attempt
    for attempt in {1..20}; do
        if rm -rf --one-file-system "$1" 2>/dev/null; then
            return
        fi
        sleep 0.5  # processes that were killed may still be ending
    done
    fail "cannot remove $1 (tried $attempt times)"
}
