#include "run/logging/log_sink.hpp"

#include "run/logging/log_json.hpp"

#include <spdlog/sinks/base_sink.h>
#include <spdlog/sinks/dist_sink.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <mutex>

namespace brewery {

namespace {

std::string json_of(const spdlog::details::log_msg& message, const json& always,
                    std::size_t bytes_max = std::string::npos) {
  const auto level = spdlog::level::to_string_view(message.level);
  return log_line_json(message.time, {level.data(), level.size()}, always,
                       {message.payload.data(), message.payload.size()},
                       bytes_max);
}

using list_of_copies = spdlog::sinks::dist_sink_mt;
constexpr auto kept_level = spdlog::level::info;

class json_formatter : public spdlog::formatter {
public:
  explicit json_formatter(json always) : always_(std::move(always)) {}

  void format(const spdlog::details::log_msg& message,
              spdlog::memory_buf_t& into) override {
    const auto line = json_of(message, always_) + '\n';
    into.append(line.data(), line.data() + line.size());
  }
  [[nodiscard]] std::unique_ptr<spdlog::formatter> clone() const override {
    return std::make_unique<json_formatter>(always_);
  }

private:
  json always_;
};

} // namespace

void log_as_json(const json& always) {
  spdlog::default_logger()->set_formatter(
      std::make_unique<json_formatter>(always));
}

struct log_copy::sink : spdlog::sinks::base_sink<std::mutex> {
  sink(json always, std::function<void(const std::string&)> take,
       std::size_t bytes_max)
      : always_(std::move(always)), take_(std::move(take)),
        bytes_max_(bytes_max) {}

  void stop() {
    const std::lock_guard lock{mutex_};
    take_ = nullptr;
  }

protected:
  void sink_it_(const spdlog::details::log_msg& message) override {
    if (take_) take_(json_of(message, always_, bytes_max_));
  }
  void flush_() override {}

private:
  json always_;
  std::function<void(const std::string&)> take_;
  std::size_t bytes_max_;
};

// Each sink has a level of its own. The logger's, below which nothing reaches
// any of them, is the lowest of these; without a copy, that of standard error.
void show_log_from(const std::string& level) {
  const auto shown = spdlog::level::from_str(level);
  auto lowest = shown;
  const auto logger = spdlog::default_logger();
  for (const auto& each : logger->sinks())
    if (const auto copies = std::dynamic_pointer_cast<list_of_copies>(each)) {
      if (!copies->sinks().empty()) lowest = std::min(lowest, kept_level);
    } else {
      each->set_level(shown);
    }
  logger->set_level(lowest);
}

// The sinks of a logger must not change while others log. One of them is a list
// that may (cli/logging.hpp).
log_copy::log_copy(json always, std::function<void(const std::string&)> take,
                   std::size_t bytes_max)
    : sink_(
        std::make_shared<sink>(std::move(always), std::move(take), bytes_max)) {
  sink_->set_level(kept_level);
  const auto logger = spdlog::default_logger();
  for (const auto& each : logger->sinks())
    if (const auto copies = std::dynamic_pointer_cast<list_of_copies>(each)) {
      copies->add_sink(sink_);
      logger->set_level(std::min(logger->level(), kept_level));
    }
}

log_copy::~log_copy() {
  sink_->stop();
}

} // namespace brewery
