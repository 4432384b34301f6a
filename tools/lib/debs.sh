# Builds Debian packages from what is committed. Sourced, never run.
#
#   BUILD/debian/NAME   a clean export of HEAD; NAME is that of the repository's folder
#   BUILD/debian        where dpkg-buildpackage leaves what it builds
# shellcheck shell=bash

readonly debs_folder=$GAPLESS_BUILD/debian
readonly debs_source=$debs_folder/${gapless_root##*/}

# require_one_version: debian/changelog and CMake have the same one.
require_one_version()
{
    local cmake debian
    cmake=$(sed -nE 's/^project\(gapless VERSION ([0-9.]+).*/\1/p' "$gapless_root/CMakeLists.txt")
    debian=$(dpkg-parsechangelog --file "$gapless_root/debian/changelog" --show-field Version)
    [[ $cmake == "$debian" ]] \
        || fail "debian/changelog has version $debian, CMakeLists.txt has $cmake"
}

# debs_export: what is committed at HEAD, and nothing else
debs_export()
{
    local git=(git -c "safe.directory=$gapless_root" -C "$gapless_root")
    require_space "$GAPLESS_BUILD" 2000 "building packages"
    rm -rf "$debs_folder"
    make_folder "$debs_source" "the packages"
    if [[ -n $("${git[@]}" status --porcelain) ]]; then
        say "there are changes that are not committed; they are not in the packages"
    fi
    "${git[@]}" archive --format=tar HEAD | tar --extract --directory "$debs_source" \
        || fail "could not copy what is committed to $debs_source"
}

# debs_set_version VERSION: a new entry of the changelog
debs_set_version()
{
    local changelog=$debs_source/debian/changelog
    {
        sed -nE "1s/\([^)]*\)/($1)/p" "$changelog"
        printf '\n  * Another version of the same.\n\n'
        sed -nE '/^ -- /{p;q}' "$changelog"
        printf '\n'
        cat "$changelog"
    } >"$changelog.new"
    mv "$changelog.new" "$changelog"
}

# debs_in_place COMMAND...: in the export; where that is possible in a namespace in which it is
# where the repository is, because ccache takes objects of other folders for others. debhelper gives
# what it starts another home, in which ccache would have neither its settings nor its objects.
debs_in_place()
{
    local objects place=${gapless_root%/*}
    objects=$(ccache --get-config cache_dir)
    ccache --show-config | sed -nE '/^\(default\)|cache_dir = /d; s/^\([^)]*\) //p' \
        >"$debs_folder/ccache.conf"
    mkdir -p "$objects" "$debs_folder/ccache"
    if ! is_root || [[ -z $place ]] || ! unshare --mount true 2>/dev/null; then
        (cd "$debs_source" && env "CCACHE_CONFIGPATH=$debs_folder/ccache.conf" \
            "CCACHE_DIR=$objects" "$@")
        return
    fi
    # shellcheck disable=SC2016
    unshare --mount --propagation private bash -c 'set -e
        mount --bind "$1" "$2/ccache"
        mount --rbind "$2" "$3"
        cd "$4" && shift 4
        exec "$@"' bash "$objects" "$debs_folder" "$place" "$gapless_root" \
        env "CCACHE_CONFIGPATH=$place/ccache.conf" "CCACHE_DIR=$place/ccache" "$@"
}

# debs_build VERSION OPTIONS FOLDER: builds the export, with that version where one is given, and
# DEB_BUILD_OPTIONS
debs_build()
{
    local log=$GAPLESS_BUILD/package.log file
    [[ -z $1 ]] || debs_set_version "$1"
    say "building packages (minutes the first time); the output is in $log"
    if ! debs_in_place env --unset=MAKEFLAGS DEB_BUILD_OPTIONS="$2" \
        dpkg-buildpackage --build=binary --unsigned-source --unsigned-changes \
        >"$log" 2>&1 </dev/null; then
        last_lines "$log" 15
        fail "dpkg-buildpackage failed$(why_failed "$GAPLESS_BUILD"); its output is in $log"
    fi
    for file in "$debs_folder"/gapless*_*.{deb,changes,buildinfo}; do
        mv "$file" "$3"
    done
}

# debs_judge FOLDER: lintian finds neither errors nor warnings
debs_judge()
{
    local changes said status=0
    for changes in "$1"/*.changes; do
        # As root in a container, lintian's own user for its work does not exist.
        said=$(lintian --allow-root --fail-on error,warning --tag-display-limit 0 "$changes" 2>&1) \
            || status=$?
        [[ -z $said ]] || say "$said"
        [[ $status -eq 0 ]] || fail "lintian finds errors or warnings in $(basename "$changes")"
    done
}
