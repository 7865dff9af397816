# What `cmake --install` installs: the program, what it prints of itself (man pages
# and completions), the data that its pages name, and the documents.
install(TARGETS brewery RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")

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
