# Run by cpack between installing and packing: what Debian's policy wants of the
# files, and an installation from sources does not.
cmake_policy(VERSION 3.25)
set(root "${CPACK_TEMPORARY_INSTALL_DIRECTORY}")
set(share "${root}/usr/share")
set(documents "${share}/doc/${CPACK_PACKAGE_NAME}")

# Debian's zsh looks there for what packages bring.
file(MAKE_DIRECTORY "${share}/zsh/vendor-completions")
file(RENAME "${share}/zsh/site-functions/_brewery"
  "${share}/zsh/vendor-completions/_brewery")
file(REMOVE_RECURSE "${share}/zsh/site-functions")

file(REMOVE "${documents}/LICENSE") # Debian has one copy for all
file(COPY_FILE "${CMAKE_CURRENT_LIST_DIR}/copyright" "${documents}/copyright")
file(RENAME "${documents}/CHANGELOG.md" "${documents}/changelog")
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
file(WRITE "${documents}/changelog.Debian"
  "${CPACK_PACKAGE_NAME} (${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}) unstable; urgency=medium\n\n"
  "  * What changed is in changelog.gz.\n\n"
  " -- ${CPACK_PACKAGE_CONTACT}  ${date}\n")

file(GLOB_RECURSE pages "${share}/man/*")
execute_process(COMMAND gzip -9n ${pages} "${documents}/changelog"
  "${documents}/changelog.Debian" COMMAND_ERROR_IS_FATAL ANY)
