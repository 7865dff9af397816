# Debian ships CAF without a CMake package. Defines CAF::<component> for each
# requested component (core, io, openssl).
find_path(CAF_INCLUDE_DIR NAMES caf/all.hpp)
set(CAF_required_vars CAF_INCLUDE_DIR)
foreach(component IN LISTS CAF_FIND_COMPONENTS)
  find_library(CAF_${component}_LIBRARY NAMES caf_${component})
  list(APPEND CAF_required_vars CAF_${component}_LIBRARY)
  if(CAF_${component}_LIBRARY)
    set(CAF_${component}_FOUND TRUE)
  endif()
endforeach()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(CAF
  REQUIRED_VARS ${CAF_required_vars} HANDLE_COMPONENTS)

foreach(component IN LISTS CAF_FIND_COMPONENTS)
  if(CAF_${component}_FOUND AND NOT TARGET CAF::${component})
    add_library(CAF::${component} UNKNOWN IMPORTED)
    set_target_properties(CAF::${component} PROPERTIES
      IMPORTED_LOCATION "${CAF_${component}_LIBRARY}"
      INTERFACE_INCLUDE_DIRECTORIES "${CAF_INCLUDE_DIR}")
  endif()
endforeach()
