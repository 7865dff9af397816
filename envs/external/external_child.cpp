#include "envs/external/external_child.hpp"

#include "base/hash.hpp"

#include <fmt/format.h>

namespace brewery::external {

namespace {

constexpr std::string_view adapter_version = "external-1";

log_sink marked(const log_sink& log, pid_t pid) {
  if (!log) return {};
  return [log, pid](const std::string& line) {
    log(fmt::format("environment pid={}: {}", pid, line));
  };
}

std::string with_last_words(std::string text, const std::string& words) {
  if (words.empty()) return text;
  return text + "; last on its standard error: " + words;
}

} // namespace

external_child::external_child(child_process process,
                               const external_options& options)
    : channel_([&] {
        const auto log = marked(options.log, process.pid());
        return line_channel{std::move(process), log};
      }()) {}

result<std::shared_ptr<external_child>>
external_child::start(const external_options& options) {
  auto process = child_process::start(options.command);
  if (!process) return process.error();
  std::shared_ptr<external_child> made{
      new external_child{std::move(*process), options}};
  if (auto ok = made->introduce(options.start_timeout); !ok) {
    const auto words = made->channel_.last_words();
    return error{ok.error().code, with_last_words(ok.error().message, words)};
  }
  return made;
}

result<void> external_child::introduce(std::chrono::milliseconds patience) {
  const auto number = ++asked_;
  const auto line = channel_.exchange(hello_request(number), patience);
  if (!line && line.error().code == ec::timeout)
    return error{ec::timeout, fmt::format("it did not introduce itself within "
                                          "{} ms (start_timeout_ms)",
                                          patience.count())};
  if (!line) return line.error();
  const auto reply = read_reply(*line, number);
  if (!reply) return reply.error();
  auto about = read_hello(*reply);
  if (!about)
    return error{about.error().code, "hello: " + about.error().message};
  about_ = std::move(*about);
  // Hashes all fields: unknown ones may matter to the child.
  hash_input input;
  input.add(adapter_version).add(reply->dump());
  fingerprint_ = input.content();
  return {};
}

error external_child::break_off(const std::string& what,
                                const std::string& why) {
  channel_.end(std::chrono::milliseconds{0});
  broken_ = with_last_words(why, channel_.last_words());
  return {ec::environment,
          fmt::format("environment {}, {}: {}", about_.name, what, broken_)};
}

result<json>
external_child::ask(const std::string& what,
                    const std::function<std::string(std::uint64_t)>& line,
                    std::chrono::milliseconds patience) {
  const std::lock_guard lock{mutex_};
  if (!broken_.empty())
    return error{ec::environment,
                 fmt::format("environment {}, {}: it was given up before: {}",
                             about_.name, what, broken_)};
  const auto number = ++asked_;
  const auto got = channel_.exchange(line(number), patience);
  if (!got)
    return break_off(what, got.error().code == ec::timeout
                               ? fmt::format("it did not answer within {} ms "
                                             "and was killed",
                                             patience.count())
                               : got.error().message);
  auto reply = read_reply(*got, number);
  if (reply) return reply;
  // The child reported a failure and can continue.
  if (reply.error().code == ec::environment)
    return error{ec::environment,
                 fmt::format("environment {}, {}: {}", about_.name, what,
                             reply.error().message)};
  return break_off(what, reply.error().message);
}

error external_child::violated(const std::string& what, const error& why) {
  const std::lock_guard lock{mutex_};
  return break_off(what, why.message);
}

bool external_child::well() {
  const std::unique_lock lock{mutex_, std::try_to_lock};
  if (!lock) return true; // it is answering a request
  return broken_.empty() && channel_.idle_and_well();
}

bool external_child::broken() const {
  const std::lock_guard lock{mutex_};
  return !broken_.empty();
}

void external_child::close_input() {
  const std::lock_guard lock{mutex_};
  channel_.close_input();
}

void external_child::end(std::chrono::milliseconds patience) {
  const std::lock_guard lock{mutex_};
  channel_.end(patience);
}

} // namespace brewery::external
