#pragma once
/// A sweep as one HTML file that people pass on: it loads nothing, runs no
/// script, and is XML too. PURE.

#include "report/sweep/sweep_figures.hpp"

namespace brewery {

/// The whole file. Everything from outside is escaped; numbers that are
/// missing, or none, are "-".
std::string sweep_html(const sweep_figures& sweep);

} // namespace brewery
