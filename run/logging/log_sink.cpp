#include "run/logging/log_sink.hpp"

#include "run/logging/log_json.hpp"

#include <spdlog/sinks/base_sink.h>
#include <spdlog/sinks/dist_sink.h>
#include <spdlog/spdlog.h>

#include <mutex>

namespace brewery {

namespace {

std::string json_of(const spdlog::details::log_msg& message,
                    const json& always) {
  const auto level = spdlog::level::to_string_view(message.level);
  return log_line_json(message.time, {level.data(), level.size()}, always,
                       {message.payload.data(), message.payload.size()});
}

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
  sink(json always, std::function<void(const std::string&)> take)
      : always_(std::move(always)), take_(std::move(take)) {}

  void stop() {
    const std::lock_guard lock{mutex_};
    take_ = nullptr;
  }

protected:
  void sink_it_(const spdlog::details::log_msg& message) override {
    if (take_) take_(json_of(message, always_));
  }
  void flush_() override {}

private:
  json always_;
  std::function<void(const std::string&)> take_;
};

// The sinks of a logger must not change while others log. One of them is a list
// that may (cli/logging.hpp).
log_copy::log_copy(json always, std::function<void(const std::string&)> take)
    : sink_(std::make_shared<sink>(std::move(always), std::move(take))) {
  sink_->set_level(spdlog::level::info);
  for (const auto& each : spdlog::default_logger()->sinks())
    if (const auto list =
            std::dynamic_pointer_cast<spdlog::sinks::dist_sink_mt>(each))
      list->add_sink(sink_);
}

log_copy::~log_copy() {
  sink_->stop();
}

} // namespace brewery
