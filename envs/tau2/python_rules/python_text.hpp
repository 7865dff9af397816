#pragma once
/// Writes and compares text and values like Python. The reference
/// implementation of tau2-bench is in Python: its result texts, error texts and
/// state hashes come from repr(), str(), json.dumps() and round(). So a native
/// environment must match them in every character.

#include "envs/environment.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace brewery::tau2 {

/// A number that remembers whether it was an int or a float: 2 and 2.0 are
/// equal but print, and therefore hash, differently.
using py_number = std::variant<std::int64_t, double>;

double as_double(const py_number& number);

/// Order of object keys in JSON text.
enum class key_order {
  model,  ///< as declared or inserted: result texts
  sorted, ///< by code point: state hashes
};

/// repr(float): the shortest digits that read back equal. Exponent form below
/// 1e-4 and from 1e16 on.
std::string py_float(double value);
std::string py_number_text(const py_number& number);

/// round(value, 2): the decimal nearest to the exact binary value.
double py_round2(double value);

/// format(value, ".2f").
std::string py_fixed2(double value);

/// repr(str): single quotes unless only double quotes avoid escapes. Printable
/// characters are those of Unicode 15, as in Python 3.12.
std::string py_quote(std::string_view text);

std::string py_repr(const json& value);

/// str(): as repr(), but a string is itself.
std::string py_str(const json& value);

/// type(value).__name__ of a parsed JSON value.
std::string_view py_type_name(const json& value);

/// ==, with 1 == 1.0 == True and objects compared without key order.
bool py_equal(const json& left, const json& right);

/// Whether it can be looked up in a dict or set; an error for lists and
/// objects.
result<void> py_hashable(const json& key);

/// The elements of a loop over the value: a list's elements, a text's
/// characters, an object's keys. An error for other types.
result<std::vector<json>> py_elements(const json& value);

/// json.dumps() with its default separators and ASCII escapes, appended.
void append_json(std::string& out, std::string_view text);
void append_json(std::string& out, double value);
void append_json(std::string& out, const json& value, key_order order);

} // namespace brewery::tau2
