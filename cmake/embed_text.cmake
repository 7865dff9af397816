# Run at build time: writes OUT, a source file with FUNCTION() as HEADER declares
# it in NAMESPACE, which returns the names (without folder and extension) and
# contents of FILES ('|' between them).
string(REPLACE "|" ";" files "${FILES}")
set(entries "")
foreach(file IN LISTS files)
  get_filename_component(name "${file}" NAME_WE)
  file(READ "${file}" text)
  if(text MATCHES "\\)brewery_text\"")
    message(FATAL_ERROR "${file}: contains the end of a raw string")
  endif()
  string(APPEND entries
    "      {\"${name}\", R\"brewery_text(${text})brewery_text\"},\n")
endforeach()
file(WRITE "${OUT}" "#include \"${HEADER}\"

namespace ${NAMESPACE} {

const std::vector<embedded_text>& ${FUNCTION}() {
  static const std::vector<embedded_text> texts{
${entries}  };
  return texts;
}

} // namespace ${NAMESPACE}
")
