# The Debian package, by `cpack -G DEB`: what `cmake --install` installs, below
# /usr. docs/adr/0035-names-of-packages.md has the reason for its name.
# Debian's tools name a packager by DEBFULLNAME and DEBEMAIL; without them the
# address is one that no mail can be sent to.
if(NOT "$ENV{DEBEMAIL}" STREQUAL "" AND NOT "$ENV{DEBFULLNAME}" STREQUAL "")
  set(maintainer "$ENV{DEBFULLNAME} <$ENV{DEBEMAIL}>")
else()
  set(maintainer "Brewery developers <developers@brewery.invalid>")
endif()
set(BREWERY_MAINTAINER "${maintainer}" CACHE STRING
  "Whom the Debian package names as its maintainer")

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME brewery-search)
set(CPACK_PACKAGE_VERSION "${PROJECT_VERSION}")
set(CPACK_PACKAGE_CONTACT "${BREWERY_MAINTAINER}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
# Libraries, in the versions that the program is linked with.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# Environments in Python; model servers behind TLS.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "python3, ca-certificates")
# SpreadsheetBench.
set(CPACK_DEBIAN_PACKAGE_SUGGESTS
  "bubblewrap, libreoffice-calc, python3-openpyxl, python3-pandas, python3-uno")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY
  "learns a knowledge base for an agent from its own rollouts")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
  "Brewery plays the tasks of a benchmark with an agent, and learns Markdown
documents from its graded attempts: a search over versions of the documents
that the agent retrieves from. It then measures on a sealed test split whether
they help. It runs in one process, or as a coordinator with workers. The
program is called brewery.")
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA
  "${PROJECT_SOURCE_DIR}/cmake/debian/prerm")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_PRE_BUILD_SCRIPTS
  "${PROJECT_SOURCE_DIR}/cmake/debian/finish_package.cmake")
include(CPack)
