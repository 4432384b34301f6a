# How every target of ours is compiled. Warnings become errors in the preset dev only, so that a
# newer compiler breaks nobody else's build.

include(CheckCXXSourceCompiles)
include(CheckPIESupported)
check_pie_supported(LANGUAGES CXX)

option(GAPLESS_HARDENING "Compile with the checks of a program that faces a network" ON)
option(GAPLESS_CHECK_HARDENING "Fail when what was linked lacks one of these checks" OFF)
option(GAPLESS_FAST_LINKER "Link with mold or lld where one is installed" ON)

option(GAPLESS_FAILPOINTS "Let tools/torture make the programs fail (docs/reports/torture.md)" OFF)
if(GAPLESS_FAILPOINTS AND NOT CMAKE_BUILD_TYPE STREQUAL "Debug")
    message(FATAL_ERROR "GAPLESS_FAILPOINTS is for tests: it needs CMAKE_BUILD_TYPE=Debug")
endif()

option(GAPLESS_FUZZ "Build the libFuzzer targets of tests/fuzz; needs clang (preset fuzz)" OFF)

# gapless_failpoints(TARGET FILE...): what fails on demand is part of the target in builds with
# failpoints only. Its files ask GAPLESS_FAILPOINTS, 0 or 1.
function(gapless_failpoints target)
    if(GAPLESS_FAILPOINTS)
        target_sources(${target} PRIVATE ${ARGN})
    endif()
    target_compile_definitions(${target} PRIVATE
        GAPLESS_FAILPOINTS=$<BOOL:${GAPLESS_FAILPOINTS}>)
endfunction()

# A program names the shared libraries that it uses, not all that its rooms could.
add_link_options(-Wl,--as-needed)

add_library(gapless_options INTERFACE)
target_compile_features(gapless_options INTERFACE cxx_std_20)
target_compile_options(gapless_options INTERFACE
    -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wnon-virtual-dtor
    # In a unity build names of one file's anonymous namespace are global to the next file.
    $<IF:$<BOOL:${CMAKE_UNITY_BUILD}>,-Wno-subobject-linkage,-Wshadow>
    # A member left out of a designated initializer has its default: that is what they are for.
    -Wno-missing-field-initializers)
target_include_directories(gapless_options INTERFACE ${PROJECT_SOURCE_DIR}/src)
target_compile_definitions(gapless_options INTERFACE GAPLESS_VERSION="${PROJECT_VERSION}")

if(GAPLESS_HARDENING)
    add_compile_definitions(_GLIBCXX_ASSERTIONS)
endif()
# Sanitizers bring their own checks and do not go together with fortified functions.
if(GAPLESS_HARDENING AND NOT CMAKE_CXX_FLAGS MATCHES "-fsanitize")
    add_compile_options(-fstack-protector-strong -fstack-clash-protection)
    if(CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
        add_compile_options(-fcf-protection)
    endif()
    if(NOT CMAKE_BUILD_TYPE STREQUAL "Debug")
        add_compile_options(-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
    endif()
    add_link_options(-Wl,-z,relro -Wl,-z,now)
endif()

# gapless_check_hardening(PROGRAM): what was linked has these protections, or the build fails; in
# the presets only.
function(gapless_check_hardening program)
    if(NOT GAPLESS_HARDENING OR NOT GAPLESS_CHECK_HARDENING OR CMAKE_CXX_FLAGS MATCHES
        "-fsanitize")
        return()
    endif()
    add_custom_command(TARGET ${program} POST_BUILD VERBATIM
        COMMAND ${PROJECT_SOURCE_DIR}/tools/check_hardening
            $<$<CONFIG:Debug>:--without-fortify>
            $<$<NOT:$<BOOL:${GAPLESS_CONTROL_FLOW}>>:--without-control-flow>
            $<TARGET_FILE:${program}>
        COMMAND_EXPAND_LISTS)
endfunction()

# gapless_linker_takes(VARIABLE OPTION...): whether the linker takes these options without a word
# of complaint; most linkers only warn of what they do not know. VARIABLE is kept in the cache.
function(gapless_linker_takes variable)
    set(CMAKE_REQUIRED_LINK_OPTIONS ${ARGN})
    set(CMAKE_REQUIRED_QUIET ON)
    check_cxx_source_compiles("int main() {}" ${variable} FAIL_REGEX "[Uu]nknown|ignor")
endfunction()

# A linker that is installed but that this compiler cannot use is passed over.
set(GAPLESS_LINKER_OPTIONS)
if(GAPLESS_FAST_LINKER)
    foreach(linker IN ITEMS mold lld)
        find_program(GAPLESS_LD_${linker} ld.${linker})
        if(GAPLESS_LD_${linker})
            gapless_linker_takes(GAPLESS_LINKS_WITH_${linker} -fuse-ld=${linker})
            if(GAPLESS_LINKS_WITH_${linker})
                set(GAPLESS_LINKER_OPTIONS -fuse-ld=${linker})
                break()
            endif()
        endif()
    endforeach()
endif()
add_link_options(${GAPLESS_LINKER_OPTIONS})

# Debian 12's start files do not say that they can do with control flow protection, so the linker
# has to be told that the program does. lld has a word of its own for it, gold has none.
set(GAPLESS_CONTROL_FLOW OFF)
if(GAPLESS_HARDENING AND CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
    foreach(word IN ITEMS ibt force-ibt)
        # By the linker's name, because tools/test installs mold into what tools/up configured.
        string(MAKE_C_IDENTIFIER
            "GAPLESS_TAKES_${word}_${CMAKE_EXE_LINKER_FLAGS}${GAPLESS_LINKER_OPTIONS}" takes)
        gapless_linker_takes(${takes} ${GAPLESS_LINKER_OPTIONS} -Wl,-z,shstk -Wl,-z,${word})
        if(${takes})
            add_link_options(-Wl,-z,shstk -Wl,-z,${word})
            set(GAPLESS_CONTROL_FLOW ON)
            break()
        endif()
    endforeach()
endif()

find_program(GAPLESS_CCACHE ccache)
option(GAPLESS_USE_CCACHE "Compile through ccache where it is installed" ON)
if(GAPLESS_USE_CCACHE AND GAPLESS_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    # Two clones share their objects: paths below the clone do not count.
    set(CMAKE_CXX_COMPILER_LAUNCHER
        env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=true ${GAPLESS_CCACHE})
endif()

# With sanitizers g++ 12 warns of values that are always set (-Wmaybe-uninitialized) and of fences
# in Asio (-Wtsan); their presets leave warnings to the preset dev.
if(CMAKE_CXX_FLAGS MATCHES "-fsanitize")
    add_compile_options(-Wno-maybe-uninitialized -Wno-unknown-warning-option)
    if(CMAKE_CXX_FLAGS MATCHES "-fsanitize=thread")
        add_compile_options(-Wno-tsan)
    endif()
endif()

# g++ 14 says the same at -O2 of std::optional in http/request_body.cpp and of a variant of libpqxx.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 13
        AND NOT CMAKE_BUILD_TYPE STREQUAL "Debug")
    add_compile_options(-Wno-maybe-uninitialized)
endif()
