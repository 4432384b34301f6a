# Compiles the files of migrations/ and of the rooms of sql/ into the programs, so that a binary
# carries its schema.
# Included by CMakeLists.txt; run with -P it writes the generated file.

# Gives TARGET the functions declared in postgres/embedded_sql.hpp. A file that is added, changed or
# removed is noticed by the next build.
function(gapless_embed_sql target)
    file(GLOB migrations CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/migrations/*.sql)
    file(GLOB_RECURSE functions CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/sql/*.sql)
    list(JOIN migrations "|" migration_list)
    list(JOIN functions "|" function_list)

    set(output ${PROJECT_BINARY_DIR}/generated/embedded_sql.cpp)
    add_custom_command(
        OUTPUT ${output}
        COMMAND ${CMAKE_COMMAND}
            "-DOUTPUT=${output}"
            "-DMIGRATIONS=${migration_list}"
            "-DFUNCTIONS=${function_list}"
            -P ${PROJECT_SOURCE_DIR}/cmake/EmbedSql.cmake
        DEPENDS ${migrations} ${functions} ${PROJECT_SOURCE_DIR}/cmake/EmbedSql.cmake
        COMMENT "Embedding migrations and SQL functions"
        VERBATIM)
    add_library(gapless_embedded_sql STATIC ${output})
    target_link_libraries(gapless_embedded_sql PRIVATE gapless_options)
    get_target_property(type ${target} TYPE)
    if(type STREQUAL "INTERFACE_LIBRARY")
        target_link_libraries(${target} INTERFACE gapless_embedded_sql)
    else()
        target_link_libraries(${target} PUBLIC gapless_embedded_sql)
    endif()
endfunction()

# Appends to VARIABLE the string literal of TEXT. The delimiter holds the hash of the text, which
# the text cannot contain, so any content is safe. Pieces end at a line and stay below the length
# that every compiler takes.
function(gapless_append_literal variable text)
    set(literal "")
    string(SHA1 hash "${text}")
    string(SUBSTRING "${hash}" 0 12 hash)
    string(LENGTH "${text}" rest)
    while(rest GREATER 0)
        set(length ${rest})
        if(rest GREATER 12000)
            string(SUBSTRING "${text}" 0 12000 piece)
            string(FIND "${piece}" "\n" length REVERSE)
            math(EXPR length "${length} + 1")
            if(length EQUAL 0)
                message(FATAL_ERROR "an embedded file has a line of more than 12000 bytes")
            endif()
        endif()
        string(SUBSTRING "${text}" 0 ${length} piece)
        string(SUBSTRING "${text}" ${length} -1 text)
        string(LENGTH "${text}" rest)
        string(APPEND literal "\n        R\"sql_${hash}(${piece})sql_${hash}\"")
    endwhile()
    if(literal STREQUAL "")
        set(literal " \"\"")
    endif()
    set(${variable} "${${variable}}${literal}" PARENT_SCOPE)
endfunction()

# Appends to VARIABLE the definition of NAME, which returns the files of LIST by name,
# whatever their folders.
function(gapless_append_files variable name list)
    set(body "std::span<embedded_file const> ${name}()\n{\n")
    string(REPLACE "|" ";" files "${list}")
    list(SORT files COMPARE FILE_BASENAME)
    list(LENGTH files count)
    if(count EQUAL 0)
        string(APPEND body "    return {};\n}\n")
    else()
        string(APPEND body "    static constexpr std::array<embedded_file, ${count}> files{{\n")
        foreach(file IN LISTS files)
            cmake_path(GET file FILENAME filename)
            file(READ "${file}" text)
            string(APPEND body "    {\"${filename}\"sv,")
            gapless_append_literal(body "${text}")
            string(APPEND body "sv},\n")
        endforeach()
        string(APPEND body "    }};\n    return files;\n}\n")
    endif()
    set(${variable} "${${variable}}\n${body}" PARENT_SCOPE)
endfunction()

if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
    set(code "// Generated from migrations/ and sql/ by cmake/EmbedSql.cmake.\n")
    string(APPEND code "#include \"postgres/embedded_sql.hpp\"\n\n#include <array>\n\n")
    string(APPEND code "using namespace std::string_view_literals;\n\nnamespace gapless {\n")
    gapless_append_files(code embedded_migrations "${MIGRATIONS}")
    gapless_append_files(code embedded_functions "${FUNCTIONS}")
    string(APPEND code "\n}  // namespace gapless\n")
    file(WRITE "${OUTPUT}" "${code}")
endif()
