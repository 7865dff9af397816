# What `cmake --install` installs: the program, what it prints of itself (man pages
# and completions), the data that its pages name, and the documents.
# Tests and benches are built by none of it.
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)
install(TARGETS brewery RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")

# The program writes them itself, from its own options (cli/reference).
set(reference "${PROJECT_BINARY_DIR}/reference")
add_custom_command(OUTPUT "${reference}/made"
  COMMAND ${CMAKE_COMMAND} -E rm -rf "${reference}"
  COMMAND brewery man --out "${reference}/man"
  COMMAND brewery completion bash > "${reference}/brewery"
  COMMAND brewery completion zsh > "${reference}/_brewery"
  COMMAND brewery completion fish > "${reference}/brewery.fish"
  COMMAND ${CMAKE_COMMAND} -E touch "${reference}/made"
  DEPENDS brewery COMMENT "Writing man pages and completions" VERBATIM)
add_custom_target(reference ALL DEPENDS "${reference}/made")
install(DIRECTORY "${reference}/man/" DESTINATION "${CMAKE_INSTALL_MANDIR}")
install(FILES "${reference}/brewery"
  DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions")
install(FILES "${reference}/_brewery"
  DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/site-functions")
install(FILES "${reference}/brewery.fish"
  DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d")

# As in the checkout, so that a configuration finds its data by the same relative
# path. Prompts and rubrics are compiled in; these are to copy and change.
install(DIRECTORY config/ DESTINATION "${BREWERY_DATADIR}/config"
  FILES_MATCHING PATTERN "*.toml" PATTERN "OPTIONS.md" PATTERN "prompts/*.md"
  PATTERN "models.toml" EXCLUDE) # the user's own
install(DIRECTORY examples DESTINATION "${BREWERY_DATADIR}"
  PATTERN "tests" EXCLUDE PATTERN "__pycache__" EXCLUDE)
install(DIRECTORY envs/python/brewery_env envs/python/examples
  DESTINATION "${BREWERY_DATADIR}/envs/python"
  PATTERN "__pycache__" EXCLUDE)

install(FILES README.md CHANGELOG.md LICENSE DESTINATION "${CMAKE_INSTALL_DOCDIR}")
install(DIRECTORY docs DESTINATION "${CMAKE_INSTALL_DOCDIR}")
