#pragma once
/// Which program this is.

#include <string_view>

namespace brewery {

/// The git commit of the sources, shortened; "X with changes" if they differ
/// from it. Empty if it was not known, as in a build from a tarball. Every
/// build asks (cmake/build_commit.cmake).
std::string_view build_commit();

} // namespace brewery
