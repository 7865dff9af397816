#pragma once
/// Where desktops come from: the port behind which they are processes of this
/// machine, containers, or machines that somebody else runs. A `desktop_pool`
/// owns the provider and all its desktops. Thread-safe.

#include "base/result.hpp"
#include "envs/osworld/guest/guest_address.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace brewery::osworld {

struct desktop {
  std::string id; ///< unique to its provider; for messages
  guest_address address;
};

class desktop_provider {
public:
  virtual ~desktop_provider() = default;

  /// "local", "docker", "static": for messages.
  [[nodiscard]] virtual std::string_view name() const = 0;

  /// The most desktops at once; 0: no limit of its own.
  [[nodiscard]] virtual std::size_t most() const { return 0; }

  /// A desktop in its initial state, that nobody has used. Its server may not
  /// answer yet. Errors: ec::environment if a retry may help, ec::exhausted if
  /// something is missing here.
  virtual result<desktop> start() = 0;

  /// Puts it back into its initial state; its address may change. After an
  /// error it cannot be used, and must be stopped. Unless overridden, another
  /// desktop takes its place.
  virtual result<void> reset(desktop& used) {
    stop(used);
    auto made = start();
    if (!made) return made.error();
    used = std::move(*made);
    return {};
  }

  /// Ends it. Nothing of it is left.
  virtual void stop(const desktop& used) = 0;

  /// Why it is known to be unusable; empty: it may work.
  [[nodiscard]] virtual std::string ended(const desktop& one) const = 0;
};

} // namespace brewery::osworld
