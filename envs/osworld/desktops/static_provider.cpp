#include "envs/osworld/desktops/static_provider.hpp"

#include "base/printable.hpp"
#include "process/child_process.hpp"
#include "process/spawn.hpp"

#include <fmt/format.h>

#include <poll.h>
#include <set>
#include <unistd.h>

namespace brewery::osworld {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

namespace {

constexpr std::size_t words_bytes_max = 300;

/// The program's own variables: it is the user's, and may need credentials.
std::vector<std::pair<std::string, std::string>> user_variables() {
  std::vector<std::pair<std::string, std::string>> out;
  for (const auto& variable : child::own_variables())
    if (const auto at = variable.find('='); at != std::string::npos)
      out.emplace_back(variable.substr(0, at), variable.substr(at + 1));
  return out;
}

/// Reads both outputs until they are closed or the deadline. The last bytes.
std::string read_words(const child::child_process& program,
                       steady_clock::time_point deadline) {
  std::string words;
  std::array<pollfd, 2> watched{
      {{program.output(), POLLIN, 0}, {program.errors(), POLLIN, 0}}};
  while (watched[0].fd >= 0 || watched[1].fd >= 0) {
    const auto left = std::chrono::duration_cast<milliseconds>(
        deadline - steady_clock::now());
    if (left.count() <= 0
        || ::poll(watched.data(), watched.size(),
                  static_cast<int>(std::min<long>(left.count(), 1000)))
               < 0)
      break;
    for (auto& one : watched) {
      if (one.fd < 0 || one.revents == 0) continue;
      std::array<char, 4096> piece; // NOLINT: read fills it
      const auto got = ::read(one.fd, piece.data(), piece.size());
      if (got > 0)
        words.append(piece.data(), static_cast<std::size_t>(got));
      else if (got == 0)
        one.fd = -1;
    }
    if (words.size() > 2 * words_bytes_max)
      words.erase(0, words.size() - words_bytes_max);
    if (program.ended() && watched[0].revents == 0 && watched[1].revents == 0)
      break;
  }
  return words;
}

class static_provider final : public desktop_provider {
public:
  explicit static_provider(static_options options)
      : options_(std::move(options)) {}

  [[nodiscard]] std::string_view name() const override { return "static"; }
  [[nodiscard]] std::size_t most() const override {
    return options_.desktops.size();
  }

  result<desktop> start() override {
    std::size_t number = 0;
    {
      const std::lock_guard lock{mutex_};
      while (used_.contains(number))
        ++number;
      if (number >= most())
        return error{ec::exhausted, "all desktops of the list are in use"};
      used_.insert(number);
    }
    desktop made{id_of(number), options_.desktops[number].address};
    if (auto ok = reset(made); !ok) {
      stop(made);
      return ok.error();
    }
    return made;
  }

  result<void> reset(desktop& used) override {
    const auto& about = options_.desktops[number_of(used)];
    auto program =
        child::child_process::start({about.reset, {}, user_variables()});
    if (!program) return program.error();
    const auto deadline = steady_clock::now() + options_.reset_timeout;
    program->close_input();
    const auto words = read_words(*program, deadline);
    const auto how = program->end(
        std::max(milliseconds{100}, std::chrono::duration_cast<milliseconds>(
                                        deadline - steady_clock::now())));
    if (how == "it ended with exit status 0") return {};
    return error{
        ec::environment,
        fmt::format("the reset of {} failed: {}; it said: {}", used.id,
                    how.empty() ? "it took too long, and was killed" : how,
                    single_line(words, words_bytes_max))};
  }

  void stop(const desktop& used) override {
    const std::lock_guard lock{mutex_};
    used_.erase(number_of(used));
  }

  [[nodiscard]] std::string ended(const desktop&) const override { return {}; }

private:
  [[nodiscard]] std::string id_of(std::size_t number) const {
    const auto& at = options_.desktops[number].address;
    return fmt::format("desktop {} at {}:{}", number + 1, at.host,
                       at.server_port);
  }

  [[nodiscard]] std::size_t number_of(const desktop& one) const {
    std::size_t number = 0;
    while (number + 1 < most() && id_of(number) != one.id)
      ++number;
    return number;
  }

  const static_options options_;
  std::mutex mutex_;
  std::set<std::size_t> used_; ///< guarded by mutex_
};

} // namespace

result<std::unique_ptr<desktop_provider>>
make_static_provider(const static_options& options) {
  if (options.desktops.empty())
    return error{ec::invalid_config, "desktops of the provider 'static' need a "
                                     "list: at least one host and port"};
  for (const auto& one : options.desktops)
    if (one.reset.empty() || one.reset.front().empty())
      return error{
          ec::invalid_config,
          fmt::format("the desktop at {}:{} has no reset command: a desktop is "
                      "never used twice without a reset",
                      one.address.host, one.address.server_port)};
  return std::unique_ptr<desktop_provider>{
      std::make_unique<static_provider>(options)};
}

} // namespace brewery::osworld
