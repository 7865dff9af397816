# Where `cmake --install` puts things, below the prefix: GNU's directories. The
# package is called brewery-search, since others have the name brewery
# (docs/adr/0035-names-of-packages.md); the program and its data are not.
set(CMAKE_INSTALL_DOCDIR "share/doc/brewery-search" CACHE PATH
  "Documents, below the prefix")
include(GNUInstallDirs)
set(BREWERY_DATADIR "${CMAKE_INSTALL_DATADIR}/brewery")

# An installed program finds its data from where it is itself: a prefix may be
# moved, and packages are built for another place than they are built in.
file(RELATIVE_PATH BREWERY_DATA_FROM_PROGRAM
  "${CMAKE_INSTALL_FULL_BINDIR}" "${CMAKE_INSTALL_FULL_DATADIR}/brewery")
