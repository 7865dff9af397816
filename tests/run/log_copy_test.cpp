/// Which lines are shown and which are kept.

#include "run/logging/log_sink.hpp"

#include <catch2/catch.hpp>
#include <spdlog/sinks/dist_sink.h>
#include <spdlog/sinks/ostream_sink.h>
#include <spdlog/spdlog.h>

#include <sstream>
#include <vector>

using namespace brewery;

namespace {

/// A process's log: what it shows goes to `shown`.
struct log_bench {
  std::ostringstream shown;
  std::shared_ptr<spdlog::logger> before = spdlog::default_logger();

  log_bench() {
    const auto screen = std::make_shared<spdlog::sinks::ostream_sink_mt>(shown);
    const auto copies = std::make_shared<spdlog::sinks::dist_sink_mt>();
    const auto logger = std::make_shared<spdlog::logger>(
        "bench", spdlog::sinks_init_list{screen, copies});
    logger->set_pattern("%v");
    spdlog::set_default_logger(logger);
  }
  ~log_bench() {
    spdlog::set_default_logger(before);
    spdlog::drop("bench");
  }
  std::string say() {
    shown.str("");
    spdlog::debug("d");
    spdlog::info("i");
    spdlog::warn("w");
    spdlog::error("e");
    return shown.str();
  }
};

} // namespace

TEST_CASE("what is kept of a log does not depend on what is shown") {
  log_bench bench;
  show_log_from("warn");
  CHECK(bench.say() == "w\ne\n");
  CHECK_FALSE(spdlog::should_log(spdlog::level::info)); // nobody wants them
  std::size_t kept = 0;
  const log_copy copy{json::object(), [&](const std::string&) { ++kept; }};
  CHECK(bench.say() == "w\ne\n");
  CHECK(kept == 3);
  const std::vector<std::pair<std::string, std::string>> levels{
      {"debug", "d\ni\nw\ne\n"},
      {"info", "i\nw\ne\n"},
      {"error", "e\n"},
      {"off", ""}};
  for (const auto& [level, lines] : levels) {
    INFO(level);
    kept = 0;
    show_log_from(level);
    CHECK(bench.say() == lines);
    CHECK(kept == 3);
  }
}
