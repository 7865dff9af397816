/// `brewery top`.

#include "cli/operator/operator_client.hpp"
#include "cli/operator/top_screen.hpp"
#include "cli/terminal.hpp"
#include "run/interrupt.hpp"

#include <fmt/format.h>

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <sys/ioctl.h>
#include <unistd.h>

namespace brewery {

namespace {

struct top_arguments {
  connection_arguments connection;
  double every_s = 2;
  bool once = false;
};

result<top_sample> sample(operator_client& from) {
  using sending = operator_client::sending;
  auto status = from.ask_json("status", {}, sending::repeat);
  if (!status) return status.error();
  auto workers = from.ask_json("workers", {}, sending::repeat);
  if (!workers) return workers.error();
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return top_sample{std::move(*status), std::move(*workers),
                    std::chrono::duration<double>(now).count()};
}

screen_size size_of_page(bool once) {
  screen_size out{columns(stdout), 0};
  const bool terminal = isatty(STDOUT_FILENO) != 0;
  if (once && !terminal) out.columns = screen_size::unlimited;
  winsize size{};
  if (!once && terminal && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0)
    out.lines = size.ws_row;
  return out;
}

/// Ends early on a signal.
class pause_of_signals {
public:
  void stop() {
    const std::lock_guard lock{mutex_};
    stopped_ = true;
    changed_.notify_all();
  }
  /// True if it was stopped.
  bool sleep(double seconds) {
    std::unique_lock lock{mutex_};
    return changed_.wait_for(lock, std::chrono::duration<double>{seconds},
                             [this] { return stopped_; });
  }

private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool stopped_ = false;
};

int top_command(const top_arguments& arguments) {
  interrupt_watch::block_signals();
  auto client = operator_client::open(arguments.connection);
  if (!client) return report(client.error());
  pause_of_signals pause;
  const interrupt_watch watch{[&] { pause.stop(); }, [] {}};
  client->stop_when([&] { return watch.interrupted(); });
  const bool rewrites = !arguments.once && rewrites_lines(stdout);
  std::optional<top_sample> before;
  for (;;) {
    auto now = sample(*client);
    if (!now && now.error().code == ec::cancelled)
      return arguments.once ? exit_interrupted : exit_ok;
    if (!now && (arguments.once || now.error().code != ec::timeout))
      return report(now.error());
    // A rate needs two samples.
    const bool shown = !arguments.once || before;
    if (now && shown) {
      // Home, the page, then clear what an earlier one left below it.
      fmt::print("{}{}{}", rewrites ? "\x1b[H\x1b[2J" : "",
                 top_screen(*now, before, size_of_page(arguments.once)),
                 rewrites || arguments.once ? "" : "\n");
    } else if (!now) {
      report(now.error()); // it may be starting again
    }
    if (std::fflush(stdout) != 0) return exit_failed;
    if (arguments.once && shown) return exit_ok;
    if (now) before = std::move(*now);
    if (pause.sleep(arguments.once ? std::min(arguments.every_s, 1.0)
                                   : arguments.every_s))
      return exit_ok;
  }
}

} // namespace

void add_top_command(CLI::App& app, chosen_command& chosen) {
  auto* command = add_command(
      app, "top", "Watch a cluster: runs, workers, rates, the queue.",
      "Until Ctrl-C. Rates are those since the page before.\n\nExamples:\n  "
      "brewery top\n  brewery top --once");
  auto arguments = std::make_shared<top_arguments>();
  add_connection_options(*command, arguments->connection);
  add_patience_option(*command, arguments->connection);
  command->add_option("--every", arguments->every_s, "Seconds between pages.")
      ->check(number_from(0.1, 3600))
      ->capture_default_str();
  command->add_flag(
      "--once", arguments->once,
      "One page, after a second for the rates; for scripts: where "
      "no terminal is, nothing is cut.");
  command->callback([arguments, &chosen] {
    chosen = [=] { return top_command(*arguments); };
  });
}

} // namespace brewery
