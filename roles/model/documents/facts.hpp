#pragma once
/// The facts of a document that a program can see: text in backticks, numbers
/// with their unit, short words in quotation marks. Pure; safe on any bytes.

#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace brewery {

enum class fact_kind : std::uint8_t { code, number, quote };

struct fact {
  fact_kind kind;
  std::string words; ///< as `plain_text`, for a search; of a number the digits
  std::string unit;  ///< of a number, may be empty
  /// As spelled, with its marks: `` `refund` ``, `"no service"`, `30 days`.
  std::string shown;
};

/// Equal for equal facts, however they are spelled.
using fact_key = std::tuple<fact_kind, std::string, std::string>;
fact_key key_of(const fact& one);

/// The facts, each once: code and quotations in the order of the text, then
/// numbers. Of a block of code only the names that are called and what is in
/// quotation marks. Numbers of list items and of steps are none.
std::vector<fact> facts_of(std::string_view text);

} // namespace brewery
