#pragma once
/// Takes the fields of a JSON object out one by one. The first that is missing
/// or of a wrong type is remembered, with its place, and nothing after it
/// counts; so a reader asks for all fields and checks once.

#include "envs/environment.hpp"

#include <optional>

namespace brewery::external {

class field_reader {
public:
  /// `place` is how messages call the object: "tasks[3]"; "" for the reply.
  field_reader(const json& from, std::string place,
               std::optional<error>& problem);

  std::string text(const char* name, std::size_t bytes_max);
  std::string text_or(const char* name, std::string otherwise,
                      std::size_t bytes_max);
  bool flag(const char* name);
  bool flag_or(const char* name, bool otherwise);
  /// A whole number in [min, max].
  std::uint32_t whole_or(const char* name, std::uint32_t otherwise,
                         std::uint32_t min, std::uint32_t max);
  double number(const char* name, double min, double max);
  json object_or_empty(const char* name);

  /// The elements of a list, or null when there is none or it is missing.
  const json* list(const char* name);
  const json* list_or_null(const char* name);
  const json* object_or_null(const char* name);

  void refuse(const std::string& name, const std::string& what);
  [[nodiscard]] std::string place_of(const std::string& name) const;

private:
  const json* find(const char* name);
  const json* need(const char* name);
  std::string take_text(const json& value, const char* name,
                        std::size_t bytes_max);

  const json* from_ = nullptr; ///< null: not an object
  std::string place_;
  std::optional<error>& problem_;
};

} // namespace brewery::external
