#pragma once
/// How a request differs from a recorded one, for people. The recording stores
/// the parts of requests as text, each once, under the hash that it has in the
/// request's print. Pure.

#include "messages/model_msgs.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace brewery {

struct request_part {
  std::string hash; ///< in the request's print
  prompt_part content;
};

/// Settings, tools, then the messages, or the texts of an embedding.
std::vector<request_part> parts_of(const model_call& call,
                                   const request_print& print);

/// The first part in which two requests differ.
struct print_difference {
  /// "settings", "tools", "message 3 of 9"; empty if they are equal.
  std::string where;
  std::string recorded; ///< hash of the recorded part; empty: there is none
  std::string asked;    ///< hash of the part that is asked; empty: none
};
print_difference first_difference(const request_print& recorded,
                                  const request_print& asked);

/// The number of equal parts. Of several recorded requests, the one with the
/// most is the one to compare with.
std::size_t likeness(const request_print& recorded, const request_print& asked);

/// Whether two texts are settings that differ in the seed at most. A seed
/// follows from the job of the call.
bool equal_but_for_seed(const std::string& recorded, const std::string& asked);

/// One line: the setting with both values, or both texts around the first
/// character that differs. `recorded` is null if it is not stored.
std::string difference_text(const print_difference& where,
                            const std::string* recorded,
                            const std::string& asked);

} // namespace brewery
