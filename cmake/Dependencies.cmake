# Everything here is a Debian 12 package; scripts/install_deps.sh lists them.
find_package(Threads REQUIRED)
find_package(CAF REQUIRED COMPONENTS core)
find_package(cppzmq REQUIRED)
find_package(Boost 1.74 REQUIRED)
find_package(OpenSSL 3 REQUIRED)
find_package(SQLite3 REQUIRED)
find_package(ZLIB REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
find_package(spdlog REQUIRED)
find_package(fmt REQUIRED)
find_package(tomlplusplus REQUIRED)
find_package(uriparser REQUIRED)
find_package(prometheus-cpp REQUIRED COMPONENTS core)
find_package(mimalloc REQUIRED)

find_package(PkgConfig REQUIRED)
pkg_check_modules(utf8proc REQUIRED IMPORTED_TARGET libutf8proc)
pkg_check_modules(zstd REQUIRED IMPORTED_TARGET libzstd)

# libmsgpack-dev ships a CMake package for the C library only, so the C++
# headers are found by hand.
find_path(MSGPACK_INCLUDE_DIR msgpack.hpp REQUIRED)
add_library(msgpack_cxx INTERFACE)
target_include_directories(msgpack_cxx SYSTEM INTERFACE ${MSGPACK_INCLUDE_DIR})
target_compile_definitions(msgpack_cxx INTERFACE MSGPACK_NO_BOOST)

find_library(STEMMER_LIBRARY stemmer REQUIRED)

# Headers only, without a CMake package.
find_path(XXHASH_INCLUDE_DIR xxhash.h REQUIRED)
add_library(xxhash INTERFACE)
target_include_directories(xxhash SYSTEM INTERFACE ${XXHASH_INCLUDE_DIR})
find_path(HNSWLIB_INCLUDE_DIR hnswlib/hnswlib.h REQUIRED)
add_library(hnswlib INTERFACE)
target_include_directories(hnswlib SYSTEM INTERFACE ${HNSWLIB_INCLUDE_DIR})
