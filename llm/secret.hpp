#pragma once
/// An API key or password. It cannot be printed, compared or turned into text
/// by accident: whoever needs the bytes says `reveal()`, and only what goes on
/// the wire does. What servers echo is cleaned by a `redactor`.

#include "base/result.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace brewery {

class secret {
public:
  secret() = default;
  explicit secret(std::string value) : value_(std::move(value)) {}

  [[nodiscard]] bool empty() const { return value_.empty(); }
  [[nodiscard]] const std::string& reveal() const { return value_; }

private:
  std::string value_;
};

template <class Stream>
Stream& operator<<(Stream&, const secret&) = delete;

/// White space around it is dropped. ec::not_found when the variable is not
/// set, ec::malformed when it is empty or has characters no key has (a line
/// break would end its HTTP header). The value is never part of the message.
result<secret> secret_from_environment(const std::string& variable);

/// The same for a file, which nobody but its owner may read (else ec::io).
result<secret> secret_from_file(const std::filesystem::path& file);

/// Whether it can stand in a header: visible ASCII and inner spaces.
bool fits_header(std::string_view value);

/// Takes secrets out of text from outside, also where they are escaped as in
/// JSON. Must come before the text is shortened: half a key is still a leak.
class redactor {
public:
  /// Shorter ones are not looked for: "EMPTY" and "ollama" are what people
  /// write where no key is wanted, and words of any text.
  static constexpr std::size_t shortest = 8;

  void add(const secret& hidden);
  [[nodiscard]] std::string operator()(std::string text) const;

private:
  std::vector<std::string> hidden_; ///< longest first
};

} // namespace brewery
