#pragma once
/// What a search may spend on language models, and what it has spent. A call
/// reserves the most it can cost before it is made; afterwards the reservation
/// is replaced by what it did cost, or given back. So no number of calls at
/// once can spend more than the limit, as long as each keeps to its estimate;
/// one that does not is counted in full and stops the next. PURE; the owner
/// guards it.
///
/// Sums are integers: at any moment, spent + reserved is exactly the sum over
/// all calls.

#include "llm/price.hpp"

#include <map>
#include <string>

namespace brewery {

/// Of calls, or as a limit, where 0 is none.
struct spending {
  std::uint64_t calls = 0;
  std::uint64_t tokens = 0; ///< prompt and completion
  picodollars cost = 0;

  spending& operator+=(const spending& other);
  spending& operator-=(const spending& other);
  bool operator==(const spending&) const = default;
};

class budget {
public:
  budget() = default;
  /// Limits of all roles together, and of single ones beside it.
  budget(const spending& total, std::map<std::string, spending> of_role);

  enum class verdict {
    granted,
    wait,    ///< fits if reservations of running calls are not used up
    refused, ///< does not fit what is left
  };
  struct answer {
    verdict what = verdict::refused;
    std::uint64_t ticket = 0; ///< if granted: to settle or release
    std::string why;          ///< if refused: limit, spent, asked; one line
  };

  answer reserve(const std::string& role, const spending& most);

  /// The call was made and cost `actual`, whether it succeeded or not.
  void settle(std::uint64_t ticket, const spending& actual);
  /// The call was not made, or costs nothing.
  void release(std::uint64_t ticket);
  /// Spent before this process: from the recording of the run.
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
    spending most;
  };

  /// Ends the reservation; the role it was for.
  std::string close(std::uint64_t ticket);

  account limits_, spent_, reserved_;
  std::map<std::uint64_t, reservation> open_;
  std::uint64_t last_ticket_ = 0;
};

} // namespace brewery
