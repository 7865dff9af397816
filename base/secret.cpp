#include "base/secret.hpp"

#include "base/file.hpp"
#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace brewery {

namespace {

result<secret> checked(std::string_view raw, const std::string& where) {
  const auto value = trim(raw);
  if (value.empty())
    return error{ec::malformed, fmt::format("{} is empty; put the API key "
                                            "there",
                                            where)};
  if (!fits_header(value))
    return error{ec::malformed,
                 fmt::format("{} holds characters that no API key has (a line "
                             "break, a control character or one outside "
                             "ASCII); it must be the key alone",
                             where)};
  return secret{std::string{value}};
}

/// The text as inside a JSON string, with or without escaped "/".
std::string json_escaped(std::string_view text, bool slashes) {
  std::string out;
  for (const char c : text) {
    if (c == '"' || c == '\\' || (slashes && c == '/')) out += '\\';
    out += c;
  }
  return out;
}

} // namespace

bool fits_header(std::string_view value) {
  return std::all_of(value.begin(), value.end(),
                     [](char c) { return c >= ' ' && c <= '~'; });
}

result<secret> secret_from_environment(const std::string& variable) {
  const char* const value = std::getenv(variable.c_str());
  const auto where = fmt::format("environment variable {}", variable);
  if (value == nullptr)
    return error{ec::not_found,
                 fmt::format("{} is not set; export it, or name a file that "
                             "holds the API key",
                             where)};
  return checked(value, where);
}

result<secret> secret_from_file(const std::filesystem::path& file) {
  const auto text = read_private_file(file);
  if (!text) return text.error();
  return checked(*text, file.string());
}

void redactor::add(const secret& hidden) {
  if (hidden.reveal().size() < shortest) return;
  for (const auto& form :
       {hidden.reveal(), json_escaped(hidden.reveal(), false),
        json_escaped(hidden.reveal(), true)})
    if (std::find(hidden_.begin(), hidden_.end(), form) == hidden_.end())
      hidden_.push_back(form);
  std::stable_sort(
      hidden_.begin(), hidden_.end(),
      [](const auto& a, const auto& b) { return a.size() > b.size(); });
}

std::string redactor::operator()(std::string text) const {
  for (const auto& form : hidden_)
    if (text.find(form) != std::string::npos)
      text = replace_all(std::move(text), form, "[secret]");
  return text;
}

} // namespace brewery
