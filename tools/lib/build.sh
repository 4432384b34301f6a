# Configures and builds one preset. Sourced after packages.sh, never run.
# shellcheck shell=bash

# build_preset PRESET [TARGET]: brings $GAPLESS_BUILD/PRESET up to date; quick when nothing changed.
build_preset()
{
    local folder=$GAPLESS_BUILD/$1
    make_folder "$folder" "the build"
    if [[ ! -e $folder/build.ninja ]]; then
        require_space "$folder" 1500 "building"
        say "building the preset $1 in $folder (some minutes the first time)"
    fi
    local options=()
    # g++ 12's ThreadSanitizer does not start where the kernel randomizes more address bits.
    if [[ $1 == tsan && $(cat /proc/sys/vm/mmap_rnd_bits 2>/dev/null || echo 0) -gt 28 ]]; then
        options=("-DCMAKE_CROSSCOMPILING_EMULATOR=setarch;--addr-no-randomize")
    fi
    # shellcheck disable=SC2154  # of packages.sh
    [[ $1 != fuzz ]] || options+=("-DCMAKE_CXX_COMPILER=clang++-$clang_version")
    if ! (cd "$gapless_root" && cmake --preset "$1" -B "$folder" "${options[@]}") \
        >"$folder/configure.log" 2>&1; then
        last_lines "$folder/configure.log" 15
        fail "CMake could not configure the preset $1; its output is in $folder/configure.log"
    fi
    # To standard error, so that standard output stays free for results.
    cmake --build "$folder" --parallel "$(parallel_jobs)" --target "${2:-all}" >&2 \
        || fail "the build of the preset $1 failed$(why_failed "$folder")"
}
