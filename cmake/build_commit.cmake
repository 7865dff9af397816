# Writes OUT, a source with build_commit(): the commit of TREE, shortened, and
# whether sources differ from it. Empty where there is no GIT or no repository.
# Leaves a file alone that says so already.
set(commit "")
if(GIT AND EXISTS "${TREE}/.git")
  # No lock: somebody may be committing in this moment.
  set(git "${GIT}" --no-optional-locks)
  execute_process(COMMAND ${git} rev-parse --short=12 HEAD
    WORKING_DIRECTORY "${TREE}" OUTPUT_VARIABLE commit
    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(NOT commit MATCHES "^[0-9a-f]+$")
    set(commit "")
  endif()
endif()
if(commit)
  # Pages and tests do not become part of the program; prompts and a new source
  # do.
  execute_process(COMMAND ${git} status --porcelain --untracked-files=no -- .
            ":(exclude,glob)*.md" ":(exclude,glob)**/README.md"
            ":(exclude)docs" ":(exclude)tests"
    WORKING_DIRECTORY "${TREE}" OUTPUT_VARIABLE changed
    RESULT_VARIABLE failed ERROR_QUIET)
  execute_process(COMMAND ${git} ls-files --others --exclude-standard --
            *.cpp *.hpp ":(exclude)tests"
    WORKING_DIRECTORY "${TREE}" OUTPUT_VARIABLE added ERROR_QUIET)
  if(failed OR changed OR added)
    string(APPEND commit " with changes")
  endif()
endif()
set(text "// Written by cmake/build_commit.cmake.
#include \"run/build_info.hpp\"

std::string_view brewery::build_commit() {
  return \"${commit}\";
}
")
set(known "")
if(EXISTS "${OUT}")
  file(READ "${OUT}" known)
endif()
if(NOT known STREQUAL text)
  file(WRITE "${OUT}" "${text}")
endif()
