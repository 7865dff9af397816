#pragma once
/// Reads members of a JSON object and says by its full path which one is
/// missing or of the wrong type. The first failure is kept; reading goes on.
///
///   read_failure failure;
///   json_reader in{object, "", failure};
///   in.get("seed", seed);
///   in.each("documents", [](json_reader item) { ... });
///   if (failure.message) ...

#include "base/result.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace brewery {

/// Error ec::malformed: file, line and column, and what was expected.
inline result<nlohmann::ordered_json> parse_json(std::string_view text,
                                                 std::string_view file) {
  try {
    return nlohmann::ordered_json::parse(text);
  } catch (const nlohmann::json::exception& caught) {
    std::string why = caught.what();
    if (const auto at = why.find("parse error"); at != std::string::npos)
      why.erase(0, at);
    for (char& c : why)
      if (static_cast<unsigned char>(c) < ' ') c = ' ';
    return error{ec::malformed, fmt::format("{}: {}", file, why)};
  }
}

struct read_failure {
  std::optional<std::string> message;
};

class json_reader {
public:
  json_reader(const nlohmann::ordered_json& value, std::string path,
              read_failure& failure)
      : value_(&value), path_(std::move(path)), failure_(&failure) {}

  void get(const char* key, std::string& out) const {
    const auto* found = member(key, "a string");
    if (found == nullptr) return;
    if (!found->is_string()) return wrong(key, *found, "a string");
    out = found->get<std::string>();
  }

  void get(const char* key, double& out) const {
    const auto* found = member(key, "a number");
    if (found == nullptr) return;
    if (!found->is_number()) return wrong(key, *found, "a number");
    out = found->get<double>();
  }

  template <std::unsigned_integral T>
  void get(const char* key, T& out) const {
    const auto* found = member(key, "a whole number of at least 0");
    if (found == nullptr) return;
    if (!found->is_number_unsigned()
        || found->get<std::uint64_t>() > std::numeric_limits<T>::max())
      return wrong(key, *found, "a whole number of at least 0");
    out = static_cast<T>(found->get<std::uint64_t>());
  }

  [[nodiscard]] bool has(const char* key) const {
    return value_->is_object() && value_->contains(key);
  }

  template <class F>
  void each(const char* key, F&& read) const {
    const auto* found = member(key, "a list");
    if (found == nullptr) return;
    if (!found->is_array()) return wrong(key, *found, "a list");
    for (std::size_t i = 0; i < found->size(); ++i)
      read(json_reader{(*found)[i], fmt::format("{}[{}]", path(key), i),
                       *failure_});
  }

private:
  std::string path(const char* key) const {
    return path_.empty() ? key : path_ + "." + key;
  }

  void fail(std::string message) const {
    if (!failure_->message) failure_->message = std::move(message);
  }

  void wrong(const char* key, const nlohmann::ordered_json& found,
             const char* wanted) const {
    auto text =
        found.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    if (text.size() > 40) text = text.substr(0, 40) + "...";
    fail(fmt::format("{} is {}; it must be {}", path(key), text, wanted));
  }

  const nlohmann::ordered_json* member(const char* key,
                                       const char* wanted) const {
    if (!value_->is_object()) {
      fail(fmt::format("{} must be an object",
                       path_.empty() ? "the whole file" : path_));
      return nullptr;
    }
    const auto it = value_->find(key);
    if (it != value_->end()) return &*it;
    fail(fmt::format("{} is missing; it must be {}", path(key), wanted));
    return nullptr;
  }

  const nlohmann::ordered_json* value_;
  std::string path_;
  read_failure* failure_;
};

} // namespace brewery
