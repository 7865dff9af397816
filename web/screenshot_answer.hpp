#pragma once
/// The screenshots of a run's desktops, at /api/runs/ID/screenshots/HASH: files
/// of the directory that its option environment.osworld.screenshots names, as
/// this machine has it. Images, unlike all other answers.

#include "net/http_server.hpp"
#include "web/run_shelf.hpp"

#include <optional>

namespace brewery::web {

/// A PNG. Error ec::not_found: the run has no such screenshot, or this machine
/// does not have it.
result<std::string> read_screenshot(run_shelf& shelf, const std::string& id,
                                    const std::string& hash);

/// Null: the address is another.
std::optional<http_response> screenshot_answer(run_shelf& shelf,
                                               const http_request& request);

} // namespace brewery::web
