#pragma once
/// Small text helpers that several modules need.

#include <charconv>
#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace brewery {

/// Removes ASCII white space from both ends.
std::string_view trim(std::string_view text);

/// The parts between separators, including empty ones.
std::vector<std::string_view> split(std::string_view text, char separator);
std::vector<std::string_view> split(std::string_view text,
                                    std::string_view separator);
/// The parts would refer to a text that is gone.
template <std::same_as<std::string> Text, class Separator>
std::vector<std::string_view> split(Text&&, Separator) = delete;

/// Converts ASCII letters only.
std::string lower(std::string_view text);

std::string join(const std::vector<std::string>& parts,
                 std::string_view separator);

std::string replace_all(std::string text, std::string_view from,
                        std::string_view to);

/// The candidate with the smallest Levenshtein distance to `word`. Empty if
/// none is close enough for a misspelling (a third of its length + 1).
std::string nearest(std::string_view word,
                    const std::vector<std::string>& candidates);

/// As a word of a command line that a user copies into a shell: in quotes if
/// it holds anything else than letters, digits and `_-./:=@%+,`.
std::string shell_word(std::string_view text);

/// The number that the whole text is, as std::from_chars reads it: digits, for
/// signed types with '-' before, without '+' or spaces. Empty if it is none or
/// `T` cannot hold it.
template <std::integral T>
std::optional<T> whole_number(std::string_view text, int base = 10) {
  T out{};
  const auto* end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, out, base);
  if (read.ec != std::errc{} || read.ptr != end) return std::nullopt;
  return out;
}

/// 16 random hex digits: a name that nobody else has.
std::string random_id();
/// Whether `random_id` may have made it.
bool is_random_id(std::string_view text);

/// "1 worker", "2 workers".
std::string counted(std::size_t count, std::string_view what);

/// "; did you mean "x"?" for a word that is not accepted; empty if no other
/// choice is near. Upper and lower case do not matter.
std::string suggest_choice(const std::string& word,
                           const std::vector<std::string>& choices);

} // namespace brewery
