#pragma once
/// Reads the fields of a JSON object one by one. It remembers the first field
/// that is missing or of a wrong type, with its place, and ignores everything
/// after it. So the caller reads all fields and checks once. Null counts as a
/// missing field.
///
///   std::optional<error> problem;
///   json_reader in{object, "", problem};
///   in.get("seed", seed);
///   in.each("documents", [](json_reader item) { ... });
///   if (problem) return *problem; // "documents[2].title must be ..."

#include "base/result.hpp"
#include "messages/json.hpp"

#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

namespace brewery {

class json_reader {
public:
  static constexpr std::size_t no_limit = std::string::npos;

  /// `place` names the object in messages: "tasks[3]"; "" for the outermost.
  json_reader(const json& from, std::string place,
              std::optional<error>& problem);

  /// Reads a required field. After a problem, `out` is unchanged.
  void get(const char* name, std::string& out);
  void get(const char* name, double& out);
  template <std::unsigned_integral T>
  requires(!std::same_as<T, bool>) void get(const char* name, T& out) {
    if (need(name))
      out = static_cast<T>(whole(name, out, 0, std::numeric_limits<T>::max()));
  }

  /// A text that is not empty.
  std::string text(const char* name, std::size_t bytes_max);
  std::string text_or(const char* name, std::string otherwise,
                      std::size_t bytes_max = no_limit);
  bool flag(const char* name);
  bool flag_or(const char* name, bool otherwise);
  /// A whole number in [min, max].
  std::uint32_t whole_or(const char* name, std::uint32_t otherwise,
                         std::uint32_t min, std::uint32_t max);
  double number(const char* name, double min, double max);
  json object_or_empty(const char* name);

  /// The elements of a list; null if it is empty or missing.
  const json* list(const char* name);
  const json* list_or_null(const char* name);
  const json* object_or_null(const char* name);
  /// Reads every element of a required list as an object.
  template <class F>
  void each(const char* name, F&& read) {
    const auto* items = list(name);
    for (std::size_t i = 0; items && i < items->size(); ++i)
      read(json_reader{(*items)[i],
                       place_of(name) + "[" + std::to_string(i) + "]",
                       problem_});
  }

  /// A field of any type; null if it is missing, or after a problem.
  const json* find(const char* name) const;

  void refuse(const std::string& name, const std::string& what);
  [[nodiscard]] std::string place_of(const std::string& name) const;

private:
  const json* need(const char* name);
  std::string take_text(const json& value, const char* name,
                        std::size_t bytes_max);
  std::uint64_t whole(const char* name, std::uint64_t otherwise,
                      std::uint64_t min, std::uint64_t max);

  const json* from_ = nullptr; ///< null: not an object
  std::string place_;
  std::optional<error>& problem_;
};

/// A value for messages: its JSON, shortened.
std::string shown_value(const json& value);

} // namespace brewery
