#pragma once
/// The amounts that a task states, such as "top up 2.0 GB". A call that uses
/// one is written with a placeholder, so that it fits a task that states
/// another amount:
///   `refuel_data(gb_amount=<GB that the task states>)`
/// Knows no domain: an amount is a number before a word, and a name takes it if
/// the word is part of the name. Owned by a task's facts.

#include "envs/environment.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace brewery {

class stated_amounts {
public:
  explicit stated_amounts(std::string_view instruction);

  /// "GB that the task states" for the value of a parameter or key. Empty if
  /// the task states no such amount, or two different ones with this unit.
  std::string placeholder_of(std::string_view name, const json& value) const;

  /// The same for the value of a grader's check, whose names need not repeat
  /// the unit.
  std::string placeholder_in_check(const json& value) const;

  /// The amount behind a placeholder. Null if there is none.
  json fill(std::string_view placeholder) const;

  /// The amounts that fit a parameter, in the order of the instruction.
  std::vector<double> matching(std::string_view name) const;

private:
  struct amount {
    std::string unit;
    json value;
  };
  bool unique(const amount& item) const;

  std::vector<amount> amounts_;
};

} // namespace brewery
