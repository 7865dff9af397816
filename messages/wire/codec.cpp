#include "messages/wire/codec.hpp"

#include "base/printable.hpp"

#include <algorithm>

namespace brewery::wire::detail {

bool reader::fail(std::string what) {
  what_ = std::move(what);
  return false;
}

bool reader::expected_integer(const std::string& least, const std::string& most,
                              const value& found) {
  return expected("an integer from " + least + " to " + most, found);
}

bool reader::expected_enum(const char* name, std::uint64_t last,
                           const value& found) {
  std::string what = name;
  what += ", an integer from 0 to ";
  what += std::to_string(last);
  return expected(what, found);
}

bool reader::expected_map_of(const char* type, const value& found) {
  std::string what = "a map: ";
  what += type;
  return expected(what, found);
}

bool reader::check_sum(std::size_t given, bool none_allowed) {
  if (given > 1)
    return fail("holds " + std::to_string(given)
                + " values where there can be one");
  return given == 1 || none_allowed || fail("holds no value");
}

bool reader::expected(std::string_view what, const value& found) {
  return fail("expected " + std::string{what} + ", found "
              + found.description());
}

bool reader::below_field(std::string_view name) {
  path_.insert(0, "." + std::string{name});
  return false;
}

bool reader::below_item(std::size_t index) {
  path_.insert(0, "[" + std::to_string(index) + "]");
  return false;
}

bool reader::check_keys(const value& in, std::size_t entries) {
  std::vector<std::string_view> names;
  names.reserve(entries);
  for (std::size_t i = 0; i < entries; ++i) {
    const auto name = in.key(i).text();
    if (!name) return expected("field names", in.key(i));
    names.push_back(*name);
  }
  std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  if (twice == names.end()) return true;
  return fail("field '" + ascii_line(*twice, 40) + "' is given twice");
}

bool reader::read_texts(const value& in, shared_texts& out) {
  constexpr std::size_t remembered = 16;
  const auto size = in.list_size();
  if (!size) return expected("a list", in);
  const auto equal = [&](const shared_texts& known) {
    if (known.size() != *size) return false;
    for (std::size_t i = 0; i < *size; ++i)
      if (in.item(i).text() != std::string_view{known[i]}) return false;
    return true;
  };
  const auto known = std::find_if(recent_.begin(), recent_.end(), equal);
  if (known != recent_.end()) {
    out = *known;
    return true;
  }
  std::vector<std::string> items;
  if (!read_list(in, items)) return false;
  out = std::move(items);
  if (recent_.size() < remembered)
    recent_.push_back(out);
  else
    recent_[oldest_++ % remembered] = out;
  return true;
}

bool reader::read_texts(const value& in, text_table& out) {
  const auto size = in.list_size();
  if (!size) return expected("a list", in);
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < *size; ++i) {
    const auto text = in.item(i).text();
    if (!text) return expected("a text", in.item(i)) || below_item(i);
    bytes += text->size();
  }
  out.clear();
  if (checking_) return true;
  out.reserve(*size, bytes);
  for (std::size_t i = 0; i < *size; ++i)
    out.push_back(*in.item(i).text());
  return true;
}

error reader::failure(std::string_view message) const {
  return {ec::malformed, std::string{message} + path_ + ": " + what_};
}

} // namespace brewery::wire::detail
