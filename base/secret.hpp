#pragma once
/// An API key or password. It cannot be printed, compared or converted to text
/// by accident: code that needs the bytes calls `reveal()`, and only code that
/// writes requests does. A `redactor` removes secrets that servers echo.

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

/// Reads an environment variable and trims white space. Error ec::not_found:
/// the variable is not set. Error ec::malformed: it is empty or has characters
/// that no key has (a line break would end its HTTP header). Messages never
/// contain the value.
result<secret> secret_from_environment(const std::string& variable);

/// Reads a file likewise. Error ec::io: others than the owner may read it.
result<secret> secret_from_file(const std::filesystem::path& file);

/// True if the value may be in a header: visible ASCII and inner spaces.
bool fits_header(std::string_view value);

/// Removes secrets from text of other origin, even if they are escaped as in
/// JSON. Apply it before the text is shortened: half a key is still a leak.
class redactor {
public:
  /// Shorter secrets are not removed. "EMPTY" and "ollama" are common where no
  /// key is needed, and they are ordinary words.
  static constexpr std::size_t shortest = 8;

  void add(const secret& hidden);
  [[nodiscard]] std::string operator()(std::string text) const;

private:
  std::vector<std::string> hidden_; ///< longest first
};

} // namespace brewery
