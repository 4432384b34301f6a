# Installs the Debian packages that are missing, and nothing when none is. Sourced, never run.
# shellcheck shell=bash
# shellcheck disable=SC2034  # the lists are for the scripts that source this

# release_versions CODENAME -> what differs between the releases: the versions of Boost, PostgreSQL
# and clang, the package to format with. Nothing for a release that is not known.
release_versions()
{
    case $1 in
        bookworm) printf '1.81 15 16 clang-format-14' ;;  # Debian 12
        trixie) printf '1.83 17 19' ;;                    # Debian 13
        noble) printf '1.83 16 18' ;;                     # Ubuntu 24.04
    esac
}

release=$(. /etc/os-release && printf '%s' "${VERSION_CODENAME:-}")
# Elsewhere the names are Debian 13's, for the sentence that says what to install.
read -r boost_version postgres_version clang_version format_package \
    <<<"$(release_versions "$release" | grep . || release_versions trixie)"

# To build and to run.
readonly packages_to_run=(
    g++ cmake ninja-build pkg-config
    "libboost$boost_version-dev" libpqxx-dev libpq-dev libssl-dev
    nlohmann-json3-dev libcli11-dev libfmt-dev libspdlog-dev libtomlplusplus-dev
    prometheus-cpp-dev libcsv-dev libzint-dev libcurl4-openssl-dev
    "postgresql-$postgres_version" curl ca-certificates
)

# To test the page. Ubuntu has Chromium as a snap alone, which its driver cannot start from a test;
# there the page is not tested.
packages_to_browse=()
if [[ $release != noble ]]; then
    packages_to_browse=(chromium chromium-driver python3-selenium fonts-dejavu-core)
fi

# To test and to check as well. isolationtester comes with PostgreSQL's client. The code is as
# clang-format 14 has it, which other releases than Debian 12 do not have.
# shellcheck disable=SC2206  # no word where there is no package
readonly packages_to_test=(
    doctest-dev librapidcheck-dev libzxing-dev $format_package mold python3 jq git
    python3-jsonschema pyflakes3 shellcheck openssl lld zsh fish pgbouncer pgbackrest spin
    groff-base prometheus systemd
    nodejs default-jdk-headless php-cli
    "${packages_to_browse[@]}"
)

# To run the libFuzzer targets: the compiler and its sanitizers. 14, the default of Debian 12, does
# not know std::source_location.
readonly packages_to_fuzz=("clang-$clang_version" "libclang-rt-$clang_version-dev")

# For tools/ha: a cluster that fails over by itself, and a balancer.
readonly packages_for_a_cluster=(patroni etcd-server python3-etcd haproxy)

# For tools/torture --night, by tools/install_night: such a cluster, lines to cut, clocks to turn, a
# tool that rewrites tables, a disk that forgets.
readonly packages_for_the_night=(
    "${packages_for_a_cluster[@]}" nftables iproute2 faketime
    "postgresql-$postgres_version-repack" libfuse3-dev
)

# For tools/fresh: what makes a bare Debian, and what makes building in it quick.
readonly packages_for_a_tree=(mmdebstrap ccache git)

# For tools/package: what makes Debian's packages and judges them.
readonly packages_to_package=(debhelper dpkg-dev lintian python3 git ccache)

# For tools/image.
readonly packages_for_an_image=(buildah docker-compose jq)

# To run clang-tidy in tools/lint; large, so only where it is asked for. 14 does not know
# std::source_location yet.
readonly packages_to_lint=("clang-tidy-$clang_version")

# missing_packages PACKAGE... -> those that are not installed, one a line
missing_packages()
{
    local installed package
    installed=$(dpkg-query --show --showformat '${db:Status-Status} ${Package}\n' "$@" \
        2>/dev/null | awk '$1 == "installed" { print $2 }' || true)
    for package in "$@"; do
        if ! grep -qxF -- "$package" <<<"$installed"; then
            printf '%s\n' "$package"
        fi
    done
}

# as_root COMMAND...: runs it as root; the caller has checked that there is a way.
as_root()
{
    if is_root; then
        env DEBIAN_FRONTEND=noninteractive UCF_FORCE_CONFFOLD=1 "$@"
    elif [[ -t 0 ]]; then
        sudo env DEBIAN_FRONTEND=noninteractive UCF_FORCE_CONFFOLD=1 "$@"
    else
        sudo --non-interactive env DEBIAN_FRONTEND=noninteractive UCF_FORCE_CONFFOLD=1 "$@"
    fi
}

# run_apt LOG ARGUMENT...: apt-get with patience for a busy lock or a slow mirror. Never removes
# a package and never asks.
run_apt()
{
    local log=$1
    shift
    as_root apt-get --quiet --assume-yes --no-remove \
        -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3 "$@" >>"$log" 2>&1 </dev/null
}

# install_without_services LOG PACKAGE...: Debian starts a service as it is installed, unless
# policy-rc.d says no. Nothing of gapless needs one of the machine's own.
install_without_services()
(
    readonly policy=/usr/sbin/policy-rc.d
    log=$1
    shift
    if [[ ! -e $policy ]]; then
        trap 'as_root rm -f "$policy"' EXIT
        as_root sh -c "printf '#!/bin/sh\nexit 101\n' >$policy && chmod 755 $policy"
    fi
    run_apt "$log" install --no-install-recommends "$@"
)

# On a machine without PostgreSQL the package would start a cluster of its own on port 5432.
# Debian's documented switch prevents it; a machine that has PostgreSQL stays as it is.
keep_system_without_cluster()
{
    local config=/etc/postgresql-common/createcluster.conf
    if [[ -e $config || -n $(dpkg-query --show postgresql-common 2>/dev/null) ]]; then
        return
    fi
    as_root mkdir -p /etc/postgresql-common
    as_root sh -c "printf '%s\n' '# Written by gapless, which runs a private cluster.' \
        'create_main_cluster = false' > $config"
}

# install_packages PACKAGE...: makes sure that all of them are installed.
install_packages()
{
    if [[ -z $(release_versions "$release") ]] || ! command -v apt-get >/dev/null; then
        fail "this needs Debian 12 or 13, or Ubuntu 24.04; elsewhere install what corresponds to" \
            "$*; then: cmake --preset release && cmake --build --preset release"
    fi

    local missing log
    mapfile -t missing < <(missing_packages "$@")
    if [[ ${#missing[@]} -eq 0 ]]; then
        return
    fi
    if ! is_root; then
        command -v sudo >/dev/null \
            || fail "neither root nor sudo; first, as root: apt-get install ${missing[*]}"
        if [[ ! -t 0 ]] && ! sudo --non-interactive true 2>/dev/null; then
            fail "sudo needs a password here; first, as root: apt-get install ${missing[*]}"
        fi
    fi

    make_folder "$GAPLESS_BUILD" "the build"
    require_space /usr 1500 "installing packages"
    log=$GAPLESS_BUILD/install.log
    : >"$log"
    say "installing ${missing[*]}"
    keep_system_without_cluster
    if ! run_apt "$log" update; then
        # An unreachable mirror of something else does not matter if the packages can be had.
        say "  apt-get update failed; trying with the package lists at hand"
    fi
    if ! install_without_services "$log" "${missing[@]}"; then
        if grep -qE 'Temporary failure resolving|Could not (resolve|connect)|timed out' "$log"; then
            fail "the Debian mirror cannot be reached, and packages are missing; details in $log"
        fi
        grep -E '^(E|W|Err)[: ]' "$log" | tail -n 5 | sed 's/^/    /' >&2 || true
        fail "apt-get could not install the packages$(why_failed /usr); its output is in $log"
    fi
}
