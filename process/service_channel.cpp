#include "process/service_channel.hpp"

#include "base/printable.hpp"
#include "messages/json.hpp"
#include "process/line_channel.hpp"
#include "process/pipe_reading.hpp"
#include "process/quiet_write.hpp"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <poll.h>
#include <unistd.h>

namespace brewery::child {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

namespace {

constexpr std::size_t shown_bytes_max = 120;

std::string quoted(std::string_view line) {
  return json_quoted(single_line(line, shown_bytes_max));
}

} // namespace

service_channel::service_channel(child_process process, log_sink log)
    : process_(std::move(process)), errors_(std::move(log)),
      reader_([this] { read_until_end(); }) {}

service_channel::~service_channel() {
  end(milliseconds{0});
  reader_.join();
}

void service_channel::end(milliseconds patience) {
  ending_ = true;
  {
    const std::lock_guard writing{writing_};
    process_.close_input();
  }
  std::unique_lock lock{mutex_};
  if (broken_.empty()) broken_ = "it was told to end";
  if (!changed_.wait_for(lock, patience, [this] { return ended_; })) {
    lock.unlock();
    give_up("it did not end when told to");
  }
}

void service_channel::give_up(const std::string& why) {
  const std::lock_guard lock{mutex_};
  if (broken_.empty()) broken_ = why;
  // The process is not reaped before ended_, so its id cannot be reused.
  if (!ended_) ::kill(-process_.pid(), SIGKILL);
  changed_.notify_all();
}

void service_channel::read_until_end() {
  int left = reads_after_end;
  for (bool more = true; more;) {
    const bool gone = process_.ended();
    if (gone && left-- == 0) break;
    std::array<pollfd, 2> watched{
        {{process_.output(), POLLIN, 0},
         {errors_.open() ? process_.errors() : -1, POLLIN, 0}}};
    const int ready =
        ::poll(watched.data(), watched.size(),
               gone ? 0 : static_cast<int>(poll_interval.count()));
    if (gone && ready == 0) break;
    if (ready <= 0) continue;
    // Reads standard error first: it says why the output ended.
    if (watched[1].revents != 0) errors_.take(process_.errors());
    if (watched[0].revents != 0) more = take_output();
  }
  errors_.take_rest(process_.errors());
  ending_ = true;
  const std::lock_guard writing{writing_};
  // Takes both locks: during reaping nobody may write to it or signal its id.
  const std::lock_guard lock{mutex_};
  auto how = process_.end(end_patience);
  killed_ = broken_.empty() && process_.killed();
  if (how.empty()) how = "it closed its standard output, and was killed";
  if (broken_.empty()) broken_ = how;
  if (const auto words = errors_.last_words(); !words.empty())
    broken_ += "; last on its standard error: " + words;
  ended_ = true;
  changed_.notify_all();
}

bool service_channel::take_output() {
  std::array<char, piece_bytes> piece; // NOLINT: read fills it
  const auto got = ::read(process_.output(), piece.data(), piece.size());
  if (got < 0) return errno == EAGAIN || errno == EINTR;
  if (got == 0) return false;
  auto searched = received_.size();
  received_.append(piece.data(), static_cast<std::size_t>(got));
  std::size_t begin = 0;
  for (std::size_t end = 0;
       (end = received_.find('\n', std::max(begin, searched)))
       != std::string::npos;
       begin = end + 1)
    take_line(std::string_view{received_}.substr(begin, end - begin));
  received_.erase(0, begin);
  if (received_.size() > max_line_bytes)
    give_up(
        fmt::format("it wrote a line longer than {} bytes", max_line_bytes));
  return received_.size() <= max_line_bytes;
}

void service_channel::take_line(std::string_view line) {
  auto value = json::parse(line, nullptr, false);
  if (!value.is_object())
    return give_up("its output is not a JSON object: " + quoted(line));
  {
    const std::lock_guard lock{mutex_};
    if (!hello_) {
      hello_ = std::move(value);
      return changed_.notify_all();
    }
    if (const auto numbers = value.find("waiting");
        numbers != value.end() && take_waiting(*numbers))
      return;
    const auto id = value.find("id");
    if (id != value.end() && id->is_number_unsigned()) {
      const auto found = waiting_.find(id->get<std::uint64_t>());
      if (found != waiting_.end() && !found->second.reply) {
        errors_.restart_limit();
        found->second.reply = std::move(value);
        return changed_.notify_all();
      }
    }
  }
  give_up("it answered what nobody asked: " + quoted(line));
}

/// Some may have been answered meanwhile. With mutex_ held.
bool service_channel::take_waiting(const json& numbers) {
  if (!numbers.is_array()) return false;
  for (const auto& number : numbers) {
    if (!number.is_number_unsigned()) return false;
    const auto found = waiting_.find(number.get<std::uint64_t>());
    if (found != waiting_.end()) found->second.heard_of = steady_clock::now();
  }
  return true;
}

error service_channel::failure() const {
  if (late_) return {ec::timeout, broken_};
  return {killed_ ? ec::environment : ec::io, broken_};
}

result<json> service_channel::hello(milliseconds patience) {
  std::unique_lock lock{mutex_};
  const auto known =
      changed_.wait_for(lock, patience, [this] { return hello_ || ended_; });
  if (hello_ && broken_.empty()) return *hello_;
  if (!known) {
    late_ = true;
    lock.unlock();
    give_up(fmt::format("it did not introduce itself within {} ms",
                        patience.count()));
    lock.lock();
  }
  // Waits briefly, because how it ended says more than that it ended.
  changed_.wait_for(lock, end_patience * 2, [this] { return ended_; });
  return failure();
}

result<void> service_channel::send(std::string_view line, time_point deadline) {
  const std::unique_lock writing{writing_, deadline};
  if (!writing) return error{ec::timeout, "it does not read its requests"};
  while (!line.empty()) {
    // The input is closed if the child has ended or was asked to.
    if (ending_ || process_.input() < 0) return error{ec::io, "it has ended"};
    const auto written = write_quietly(process_.input(), line);
    if (written >= 0) {
      line.remove_prefix(static_cast<std::size_t>(written));
      continue;
    }
    if (errno != EAGAIN && errno != EINTR)
      return error{ec::io, "it does not read any more"};
    if (steady_clock::now() >= deadline)
      return error{ec::timeout, "it does not read its requests"};
    pollfd watched{process_.input(), POLLOUT, 0};
    ::poll(&watched, 1, static_cast<int>(poll_interval.count()));
  }
  return {};
}

result<json> service_channel::ask(json request, milliseconds patience) {
  const auto asked_at = steady_clock::now();
  std::uint64_t id = 0;
  {
    const std::lock_guard lock{mutex_};
    if (!broken_.empty()) return failure();
    id = ++asked_;
    waiting_[id].heard_of = asked_at;
  }
  request["id"] = id;
  const auto sent =
      send(request.dump(-1, ' ', false, json::error_handler_t::replace) + '\n',
           asked_at + patience);
  std::unique_lock lock{mutex_};
  auto& mine = waiting_[id];
  // Waits even if sending failed: the child's end gives the reason.
  const auto failed_at = steady_clock::now();
  const auto deadline = [&] {
    return sent ? mine.heard_of + patience : failed_at + end_patience * 2;
  };
  bool answered = false;
  do
    answered = changed_.wait_until(lock, deadline(), [&] {
      return mine.reply || ended_ || !broken_.empty();
    });
  while (!answered && steady_clock::now() < deadline());
  auto reply = std::move(mine.reply);
  waiting_.erase(id);
  if (reply) {
    const auto problem = reply->find("error");
    if (problem == reply->end()) return std::move(*reply);
    return error{ec::environment,
                 "it says: " + single_line(problem->dump(), 2000)};
  }
  if (!answered && broken_.empty()) {
    late_ = true;
    lock.unlock();
    give_up(sent ? "it did not answer in time" : sent.error().message);
    lock.lock();
  }
  changed_.wait_for(lock, end_patience * 2, [this] { return ended_; });
  return failure();
}

std::string service_channel::broken() const {
  const std::lock_guard lock{mutex_};
  return broken_;
}

} // namespace brewery::child
