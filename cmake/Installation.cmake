# What cmake --install puts where; the packages of debian/ take the same files. With the prefix /usr
# they come to the same places.

include(GNUInstallDirs)
option(GAPLESS_STRIP "Install programs without symbols; Debian keeps those apart by itself" ON)

# Manual pages, gaplessd.toml and completion are made by the programs. Not for tests, and not where
# there is no Python: tools/up needs none.
find_package(Python3 3.9 COMPONENTS Interpreter)
if(Python3_FOUND AND NOT CMAKE_BUILD_TYPE STREQUAL "Debug")
    set(GAPLESS_MANUALS_DEFAULT ON)
endif()
option(GAPLESS_MANUALS "Make manual pages, gaplessd.toml and completion" ${GAPLESS_MANUALS_DEFAULT})

if(GAPLESS_STRIP)
    install(CODE "set(CMAKE_INSTALL_DO_STRIP ON)")
endif()
install(TARGETS gaplessd gapless RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})

# Units and their users, whatever there is of them. In lib also where libraries have a folder of
# another name.
file(GLOB units RELATIVE ${PROJECT_SOURCE_DIR}/share CONFIGURE_DEPENDS
    ${PROJECT_SOURCE_DIR}/share/*.service.in ${PROJECT_SOURCE_DIR}/share/*.socket.in
    ${PROJECT_SOURCE_DIR}/share/*.timer.in)
foreach(unit IN LISTS units)
    string(REGEX REPLACE "\\.in$" "" name ${unit})
    configure_file(share/${unit} share/${name} @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/share/${name} DESTINATION lib/systemd/system)
endforeach()
file(GLOB users CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/share/*.sysusers)
foreach(file IN LISTS users)
    cmake_path(GET file STEM name)
    install(FILES ${file} DESTINATION lib/sysusers.d RENAME ${name}.conf)
endforeach()
install(FILES share/gapless.rules.yml share/gapless-dashboard.json
    DESTINATION ${CMAKE_INSTALL_DATADIR}/gapless)

if(GAPLESS_MANUALS)
    set(manuals ${PROJECT_BINARY_DIR}/manuals)
    file(GLOB manual_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tools/referencelib/*.py)
    add_custom_command(
        OUTPUT ${manuals}/gaplessd.toml
        COMMAND ${CMAKE_COMMAND} -E rm -rf ${manuals}
        COMMAND Python3::Interpreter ${PROJECT_SOURCE_DIR}/tools/manuals
            --programs ${CMAKE_RUNTIME_OUTPUT_DIRECTORY} ${manuals}
        DEPENDS gaplessd gapless ${PROJECT_SOURCE_DIR}/tools/manuals ${manual_sources}
            ${PROJECT_SOURCE_DIR}/docs/reference/configuration.md
        COMMENT "Making manual pages"
        VERBATIM)
    add_custom_target(gapless_manuals ALL DEPENDS ${manuals}/gaplessd.toml)

    install(DIRECTORY ${manuals}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR})
    set(completions ${CMAKE_INSTALL_DATADIR})
    install(FILES ${manuals}/completion/bash
        DESTINATION ${completions}/bash-completion/completions RENAME gapless)
    # Where the zsh of a distribution looks, and one that was built by hand.
    if(CMAKE_INSTALL_PREFIX STREQUAL "/usr")
        set(functions vendor-completions)
    else()
        set(functions site-functions)
    endif()
    install(FILES ${manuals}/completion/zsh
        DESTINATION ${completions}/zsh/${functions} RENAME _gapless)
    install(FILES ${manuals}/completion/fish
        DESTINATION ${completions}/fish/vendor_completions.d RENAME gapless.fish)
    # Where the unit looks, but for who installs into a folder of their own. A changed file stays.
    if(CMAKE_INSTALL_PREFIX MATCHES "^/usr(/local)?$")
        set(configuration /etc/gapless)
    else()
        set(configuration ${CMAKE_INSTALL_FULL_SYSCONFDIR}/gapless)
    endif()
    set(settings "\$ENV{DESTDIR}${configuration}/gaplessd.toml")
    install(CODE "
        if(EXISTS \"${settings}\")
            message(STATUS \"Kept: ${settings}\")
        else()
            file(INSTALL \"${manuals}/gaplessd.toml\" DESTINATION \"${configuration}\")
        endif()")
endif()
