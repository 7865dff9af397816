#pragma once
/// The server behind `brewery ui`: the page, and /api/ for it. Read-only.

#include "net/http_access.hpp"
#include "web/run_shelf.hpp"

#include <memory>
#include <string>

namespace brewery::web {

struct ui_options {
  http_options http{};
  std::string token{}; ///< empty: none is asked for
};

/// Error ec::invalid_argument: an address beyond loopback without a token, or a
/// token that is too short. Else as http_server::start.
result<std::unique_ptr<http_server>> start_ui(const ui_options& options,
                                              run_shelf shelf);

} // namespace brewery::web
