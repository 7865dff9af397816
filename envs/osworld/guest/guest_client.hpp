#pragma once
/// The client of one desktop's in-guest server, with the protocol of OSWorld's
/// desktop_env/server. Owned by the rollout that has the desktop; calls from
/// several threads take turns, because the official server breaks under two
/// requests at once.
///
/// Every call has a deadline. Calls that only read are tried again; one that
/// acts is tried again only if it certainly did not run. All errors are
/// ec::environment unless said otherwise: the desktop broke, not the agent, and
/// the rollout has no score.

#include "base/json.hpp"
#include "base/result.hpp"
#include "envs/osworld/guest/guest_address.hpp"
#include "envs/osworld/guest/http_call.hpp"
#include "envs/screen.hpp"

#include <chrono>
#include <mutex>
#include <optional>
#include <string>

namespace brewery::osworld {

struct guest_limits {
  std::chrono::milliseconds screenshot{10'000};
  /// The official client waits without limit, and users waited hours.
  std::chrono::milliseconds accessibility{60'000};
  std::chrono::milliseconds terminal{15'000};
  /// The server ends a command itself after 120 s.
  std::chrono::milliseconds execute{130'000};
  std::chrono::milliseconds file{60'000};
  std::chrono::milliseconds upload{300'000};
  /// The server waits up to 1,800 s for a window with the file's name.
  std::chrono::milliseconds open{120'000};
  std::chrono::milliseconds other{30'000};
  std::chrono::milliseconds pause{250}; ///< before a further try
};

/// What a command did. `refused` is set if the server says that it could not
/// be run (no such program) or was stopped after 120 s.
struct command_outcome {
  std::string output;
  std::string errors;
  int returncode = 0;
  std::string refused;
};

struct window_name {
  std::string name;
  bool strict = false;
  bool by_class = false;
};

class guest_client {
public:
  explicit guest_client(guest_address at, guest_limits limits = {});

  [[nodiscard]] const guest_address& address() const { return at_; }

  /// A whole PNG. It is also the probe of liveness: the official server's
  /// other endpoints answer even when its screen is wedged.
  result<screen> screenshot();
  /// AT-SPI tree as XML.
  result<std::string> accessibility();
  /// The text of the focused terminal; null if none is focused.
  result<std::optional<std::string>> terminal();

  /// `command` is a text or a list of texts.
  result<command_outcome> execute(const json& command, bool shell);
  /// As `execute`, under the path that setup steps use.
  result<command_outcome> setup_execute(const json& command, bool shell);
  /// Error ec::not_found: it was not verified in time.
  result<void> execute_verified(const json& request,
                                std::chrono::milliseconds longest);
  /// Error ec::not_found: the server could not start it.
  result<void> launch(const json& command, bool shell);
  /// Error ec::not_found: there is no such file in the guest.
  result<void> open(const std::string& path);
  result<void> activate_window(const window_name& window);
  result<void> close_window(const window_name& window);
  result<void> change_wallpaper(const std::string& path);
  result<void> upload(const std::string& path, const std::string& bytes);

  /// Null if there is no such file.
  result<std::optional<std::string>> file(const std::string& path);
  /// Null if it is no directory.
  result<std::optional<json>> list_directory(const std::string& path);
  /// Null if the desktop has no such directory.
  result<std::optional<std::string>> desktop_path();
  result<json> screen_size();
  /// Null if there is no such window.
  result<std::optional<json>> window_size(const std::string& app_class);
  result<std::string> platform();

private:
  struct plan {
    std::string doing; ///< for messages
    http_question question;
    std::chrono::milliseconds deadline;
    bool acts = false; ///< never repeated unless it certainly did not run
  };
  result<http_answer> ask(const plan& what);
  result<http_answer> ask_once(const plan& what, bool& again);
  result<command_outcome> run(std::string path, const json& command,
                              bool shell);
  result<void> window(std::string path, const window_name& which);
  result<void> setup(std::string path, const json& body, std::string doing,
                     std::chrono::milliseconds deadline);
  result<json> body_of(const plan& what, const http_answer& answer) const;
  [[nodiscard]] error broken(const std::string& doing,
                             const std::string& what) const;

  guest_address at_;
  guest_limits limits_;
  std::mutex turn_;
};

} // namespace brewery::osworld
