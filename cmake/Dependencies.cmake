# Every library from outside, as a target with a namespace. All of them are packages of Debian;
# tools/lib/packages.sh has their names, docs/design/decisions.md the reasons.

set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)
# By its own file: CMake 3.30 has no module for it any more (CMP0167).
find_package(Boost 1.81 CONFIG REQUIRED)
find_package(OpenSSL 3.0 REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED)
find_package(fmt 9.1 REQUIRED)
find_package(spdlog 1.10 REQUIRED)
find_package(CLI11 2.1 REQUIRED)
find_package(tomlplusplus 3.3 REQUIRED)

find_package(PkgConfig REQUIRED)
pkg_check_modules(pqxx REQUIRED IMPORTED_TARGET libpqxx)
pkg_check_modules(pq REQUIRED IMPORTED_TARGET libpq)
pkg_check_modules(curl REQUIRED IMPORTED_TARGET libcurl>=7.88)
# The package's own CMake file asks for the HTTP server and curl as well; the core needs neither.
pkg_check_modules(prometheus REQUIRED IMPORTED_TARGET prometheus-cpp-core)

# Makes the imported target NAME for a library that brings neither CMake nor pkg-config files.
function(gapless_find_plain_library name header library)
    string(MAKE_C_IDENTIFIER ${name} prefix)
    find_path(${prefix}_INCLUDE_DIR ${header} REQUIRED)
    find_library(${prefix}_LIBRARY ${library} REQUIRED)
    mark_as_advanced(${prefix}_INCLUDE_DIR ${prefix}_LIBRARY)
    add_library(${name} UNKNOWN IMPORTED GLOBAL)
    set_target_properties(${name} PROPERTIES
        IMPORTED_LOCATION ${${prefix}_LIBRARY}
        INTERFACE_INCLUDE_DIRECTORIES ${${prefix}_INCLUDE_DIR})
endfunction()

gapless_find_plain_library(csv::csv csv.h csv)
gapless_find_plain_library(zint::zint zint.h zint)

# Asio and Beast compiled once instead of in every file that includes them.
add_library(gapless_network STATIC ${CMAKE_CURRENT_LIST_DIR}/network_library.cpp)
target_compile_features(gapless_network PUBLIC cxx_std_20)
target_compile_definitions(gapless_network PUBLIC
    BOOST_ASIO_SEPARATE_COMPILATION
    BOOST_ASIO_NO_DEPRECATED
    BOOST_BEAST_SEPARATE_COMPILATION)
# g++ 12.2 takes the recycled memory of coroutine frames in Asio 1.81 for a mismatch.
# AddressSanitizer looks for real ones.
target_compile_options(gapless_network PUBLIC -Wno-mismatched-new-delete)
target_link_libraries(gapless_network PUBLIC Boost::headers Threads::Threads)
