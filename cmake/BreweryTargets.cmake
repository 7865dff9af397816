# Most of the time to compile a file of ours goes into the same instances of the
# same templates: sixteen files at once take little longer than one. For who builds
# everything once; the dev preset builds what changed.
option(BREWERY_UNITY "Compile sixteen files of a target at once" OFF)
set(CMAKE_UNITY_BUILD_BATCH_SIZE 16)

# One INTERFACE target carries the flags, so that no folder sets its own.
add_library(brew_flags INTERFACE)
target_include_directories(brew_flags INTERFACE ${PROJECT_SOURCE_DIR})
target_compile_options(brew_flags INTERFACE
  -Wall -Wextra
  # GCC 12 reports impossible overlaps in inlined string code (bug 105651).
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
  # Below a unity source every other is an included file, where GCC takes a type
  # of an anonymous namespace for one that others see.
  $<$<AND:$<BOOL:${BREWERY_UNITY}>,$<CXX_COMPILER_ID:GNU>>:-Wno-subobject-linkage>
  -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor
  # A fused multiply-add would change the last digit of a grade.
  -ffp-contract=off
  # With GCC's default of 128 MB a large file is searched for garbage again and
  # again: 5 to 12 % of the time to compile it, for some 15 % less memory.
  $<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=524288>
  $<$<BOOL:${BREWERY_WERROR}>:-Werror>)
target_compile_definitions(brew_flags INTERFACE
  BREWERY_VERSION="${PROJECT_VERSION}")
target_link_libraries(brew_flags INTERFACE Threads::Threads)
if(BREWERY_SANITIZE)
  # CAF binds null references in its factory helper, hence no-sanitize=null.
  # The other three double the time to compile an actor and find little: what
  # they check is checked by ASan or does not fault on the machines we have.
  target_compile_options(brew_flags INTERFACE
    -fsanitize=address,undefined
    -fno-sanitize=null,alignment,object-size,vptr
    -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  target_link_options(brew_flags INTERFACE -fsanitize=address,undefined)
endif()

# Headers of others that most files of a target include are parsed once: half of
# the time to compile an actor or a command is reading them. What a file uses it
# includes all the same.
option(BREWERY_PCH "Parse headers of others once" ON)
set(BREWERY_JSON_HEADERS <nlohmann/json.hpp> <fmt/format.h> <algorithm>
  <filesystem> <functional> <map> <memory> <optional> <set> <string> <variant>
  <vector>)
set(BREWERY_ACTOR_HEADERS <caf/all.hpp> <spdlog/spdlog.h>
  ${BREWERY_JSON_HEADERS})

# brewery_parsed_headers(<name> DEPS <targets>... HEADERS <headers>...): holds the
# parsed headers, which brewery_parse_once(<target> <name>) uses: several targets
# of the same flags can.
function(brewery_parsed_headers name)
  cmake_parse_arguments(arg "" "" "DEPS;HEADERS" ${ARGN})
  if(BREWERY_PCH)
    set(source "${PROJECT_BINARY_DIR}/generated/${name}.cpp")
    file(CONFIGURE OUTPUT "${source}" CONTENT "// For its headers alone.\n")
    add_library(${name} OBJECT "${source}")
    target_link_libraries(${name} PRIVATE brew_flags ${arg_DEPS})
    target_precompile_headers(${name} PRIVATE ${arg_HEADERS})
  endif()
endfunction()
function(brewery_parse_once target name)
  if(BREWERY_PCH)
    target_precompile_headers(${target} REUSE_FROM ${name})
  endif()
endfunction()

# brewery_library(<folder> DEPS <targets>...): static library brew_<folder> from
# every source below the folder.
function(brewery_library folder)
  cmake_parse_arguments(arg "" "" "DEPS" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS
    "${PROJECT_SOURCE_DIR}/${folder}/*.cpp")
  if(sources)
    add_library(brew_${folder} STATIC ${sources})
    target_link_libraries(brew_${folder} PUBLIC brew_flags ${arg_DEPS})
    set_target_properties(brew_${folder} PROPERTIES UNITY_BUILD ${BREWERY_UNITY})
  else()
    add_library(brew_${folder} INTERFACE)
    target_link_libraries(brew_${folder} INTERFACE brew_flags ${arg_DEPS})
  endif()
endfunction()

# brewery_embed(<target> <function> <pattern>... HEADER <header>
# [NAMESPACE <name>]): compiles the text files that match into the target;
# <function>(), which the header declares, returns them.
function(brewery_embed target function)
  cmake_parse_arguments(arg "" "HEADER;NAMESPACE" "" ${ARGN})
  if(NOT arg_NAMESPACE)
    set(arg_NAMESPACE brewery)
  endif()
  list(TRANSFORM arg_UNPARSED_ARGUMENTS PREPEND "${PROJECT_SOURCE_DIR}/")
  file(GLOB files CONFIGURE_DEPENDS ${arg_UNPARSED_ARGUMENTS})
  list(SORT files)
  string(JOIN "|" joined ${files})
  set(out "${PROJECT_BINARY_DIR}/generated/${function}.cpp")
  set(script "${PROJECT_SOURCE_DIR}/cmake/embed_text.cmake")
  add_custom_command(OUTPUT "${out}"
    COMMAND ${CMAKE_COMMAND} "-DOUT=${out}" "-DFUNCTION=${function}"
            "-DHEADER=${arg_HEADER}" "-DNAMESPACE=${arg_NAMESPACE}"
            "-DFILES=${joined}" -P "${script}"
    DEPENDS ${files} "${script}" VERBATIM)
  target_sources(${target} PRIVATE "${out}")
endfunction()

# brewery_malloc(<target>): the program takes malloc from mimalloc in place of the
# C library's, whole: results are made by one thread and freed by another, for
# which that one takes a third of a run. Sanitizers bring their own.
function(brewery_malloc target)
  if(NOT BREWERY_SANITIZE)
    target_link_options(${target} PRIVATE -Wl,--push-state,--no-as-needed
      $<TARGET_FILE:mimalloc> -Wl,--pop-state)
  endif()
endfunction()

# brewery_commit(<target>): compiles build_commit() of run/build_info.hpp into the
# target. Every build asks git, which takes some 20 ms; the source is written anew,
# and so compiled and linked, only if the answer is another.
function(brewery_commit target)
  find_program(GIT_PROGRAM git)
  set(out "${PROJECT_BINARY_DIR}/generated/build_commit.cpp")
  set(ask ${CMAKE_COMMAND} "-DGIT=${GIT_PROGRAM}" "-DTREE=${PROJECT_SOURCE_DIR}"
    "-DOUT=${out}" -P "${PROJECT_SOURCE_DIR}/cmake/build_commit.cmake")
  # For tools that read sources before the first build.
  execute_process(COMMAND ${ask})
  add_custom_target(build_commit COMMAND ${ask} BYPRODUCTS "${out}"
    COMMENT "Asking git for the commit" VERBATIM)
  add_dependencies(${target} build_commit)
  target_sources(${target} PRIVATE "${out}")
  set_source_files_properties("${out}" PROPERTIES
    SKIP_PRECOMPILE_HEADERS ON SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()
