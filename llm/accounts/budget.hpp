#pragma once
/// The limits of what a run may spend on language models, and what it has
/// spent. A call reserves the most it can cost before it is made. Afterwards
/// the reservation is replaced by the actual cost, or released. So concurrent
/// calls cannot exceed the limit, as long as each stays within its estimate. A
/// call that exceeds its estimate is counted in full, and later calls of its
/// role reserve that much more: only those under way with it can exceed the
/// limit together.
/// Owned by the model call broker, which locks it. Pure.
///
/// Sums are integers: spent + reserved is always exactly the sum over all
/// calls.

#include "llm/accounts/price.hpp"

#include <map>
#include <string>

namespace brewery {

/// Amounts of calls, or a limit. In a limit, 0 means unlimited.
struct spending {
  std::uint64_t calls = 0;
  std::uint64_t tokens = 0; ///< prompt and completion tokens
  picodollars cost = 0;

  spending& operator+=(const spending& other);
  spending& operator-=(const spending& other);
  bool operator==(const spending&) const = default;
};

class budget {
public:
  budget() = default;
  /// Limits of all roles together, and additional limits of single roles.
  budget(const spending& total, std::map<std::string, spending> of_role);

  enum class verdict {
    granted,
    wait,    ///< fits only if running calls cost less than reserved
    refused, ///< does not fit in the remaining budget
  };
  struct answer {
    verdict what = verdict::refused;
    std::uint64_t ticket = 0; ///< if granted: for settle() or release()
    std::string why; ///< if refused: limit, spent and asked, in one line
  };

  /// `most`: by the estimate.
  answer reserve(const std::string& role, const spending& most);

  /// Reserves as much once more for an open ticket, whose call is to be tried
  /// again after an attempt that may be charged. False: it does not fit now.
  bool reserve_again(std::uint64_t ticket);

  /// Ends a reservation: the call was made and cost `actual`, successful or
  /// not. One that was not `answered` may have been charged for several replies
  /// and says nothing of what the next one costs.
  void settle(std::uint64_t ticket, const spending& actual,
              bool answered = true);
  /// Ends a reservation: the call was not made, or costs nothing.
  void release(std::uint64_t ticket);
  /// Adds what earlier processes of the run spent, from the recording.
  void carry_over(const std::string& role, const spending& actual);

  [[nodiscard]] const spending& spent() const { return spent_.all; }
  [[nodiscard]] const spending& reserved() const { return reserved_.all; }
  [[nodiscard]] spending spent(const std::string& role) const;
  [[nodiscard]] const spending& limit() const { return limits_.all; }

private:
  struct account {
    spending all;
    std::map<std::string, spending> by_role;
  };
  struct reservation {
    std::string role;
    spending estimate, reserved;
  };

  reservation close(std::uint64_t ticket);
  void learn(const reservation& from, const spending& actual);

  account limits_, spent_, reserved_;
  /// By how much a call exceeded its estimate at most, by role.
  std::map<std::string, spending> excess_;
  std::map<std::uint64_t, reservation> open_;
  std::uint64_t last_ticket_ = 0;
};

} // namespace brewery
