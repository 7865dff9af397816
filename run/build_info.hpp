#pragma once
/// Which program this is.

#include <string_view>

namespace brewery {

/// The git commit that the build was configured from, shortened. Empty if it
/// was not known, as in a build from a tarball.
std::string_view build_commit();

} // namespace brewery
