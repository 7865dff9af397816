#pragma once
/// Records of a list that stand out by one word, such as the only bill whose
/// status is Overdue. A call that uses the id of one is written with what makes
/// it stand out, so that it fits another customer's list:
///   `send_payment_request(bill_id=<bill_id where status is Overdue>)`
/// Knows no domain. Owned by a task's facts.

#include "envs/environment.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace brewery {

class record_picks {
public:
  /// Takes the answer of a call if it is a list of records. A record's id is
  /// the first member that ends in "id" and differs in all records. A newer
  /// list about the same kind of id replaces an older one.
  void observe(const json& answer);

  /// "bill_id where status is Overdue" for an id that a parameter of this name
  /// takes. Empty if its record stands out by no word.
  std::string placeholder_of(std::string_view parameter,
                             const std::string& id) const;

  /// The id behind a placeholder. Null if no record or several fit now.
  json fill(std::string_view placeholder) const;

  /// The ids of records that stand out, for a parameter of this name.
  std::vector<std::string> matching(std::string_view parameter) const;

private:
  struct pick {
    std::string placeholder;
    std::string id;
  };
  std::map<std::string, std::vector<pick>> picks_; ///< by name of the id
};

} // namespace brewery
