#pragma once
/// Addresses as Python's urllib.parse takes them apart. Pure. Not here: hosts
/// in brackets (IPv6) are an error, and characters of a host that stand for one
/// of
/// "/?#@:" are not.

#include "base/result.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace brewery::osworld {

struct py_url {
  std::string scheme, netloc, path, params, query, fragment;
};

/// urlparse(text). Error ec::malformed: where it raises ValueError.
result<py_url> py_urlparse(std::string_view text);
std::string py_urlunparse(const py_url& url);

/// bytes.decode("utf-8", "replace").
std::string py_decode_replacing(std::string_view bytes);
/// unquote(text): %41 is A; what is then no UTF-8 is U+FFFD.
std::string py_unquote(std::string_view text);

/// parse_qs(query), in order; a name may occur again. Without empty values.
std::vector<std::pair<std::string, std::string>>
py_query_pairs(std::string_view query);

} // namespace brewery::osworld
