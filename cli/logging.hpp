#pragma once
/// Log lines go to standard error, one event each.

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
  logger->set_level(spdlog::level::from_str(level));
  spdlog::set_default_logger(logger);
}

} // namespace brewery
