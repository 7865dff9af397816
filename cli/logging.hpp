#pragma once
/// Log lines go to standard error, one event each.

#include "run/logging/log_sink.hpp"

#include <spdlog/sinks/dist_sink.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <string>

namespace brewery {

inline void set_up_logging(const std::string& level) {
  auto logger = spdlog::get("brewery");
  if (!logger) {
    logger = spdlog::stderr_logger_mt("brewery");
    // For copies of the lines (run/logging/log_sink.hpp).
    logger->sinks().push_back(std::make_shared<spdlog::sinks::dist_sink_mt>());
  }
  spdlog::set_default_logger(logger);
  show_log_from(level);
}

} // namespace brewery
