#pragma once
/// Log lines go to standard error, one event each.

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <string>

namespace brewery {

inline void set_up_logging(const std::string& level) {
  auto logger = spdlog::get("brewery");
  if (!logger) logger = spdlog::stderr_logger_mt("brewery");
  logger->set_level(spdlog::level::from_str(level));
  spdlog::set_default_logger(logger);
}

} // namespace brewery
