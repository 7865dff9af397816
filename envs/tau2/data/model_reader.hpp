#pragma once
/// Reads JSON as the reference's data models do: members in declared order,
/// without unknown ones, numbers converted if nothing is lost. Collects all
/// problems, not only the first.
///
/// A model is a function that declares its members on a `model_reader`. It is
/// used for database files (as_record) and for objects among a tool's arguments
/// (model_argument).

#include "base/result.hpp"
#include "envs/tau2/python_rules/python_text.hpp"

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace brewery::tau2 {

/// An int from an int, a bool, a float without fraction, or a text of digits: "
/// +1_000.0" is 1000. Else the reason. Refuses values beyond 64 bits, which the
/// reference accepts.
result<std::int64_t> lax_int(const json& value);

/// A float from a number, a bool or the text of a number, including "nan" and
/// "inf".
result<double> lax_float(const json& value);

struct model_problem {
  std::string where; ///< "payment_history.0.amount"
  std::string what;
};

/// The current position of the reading, and the problems so far.
class model_trace {
public:
  void enter(std::string_view member) { path_.emplace_back(member); }
  void enter(std::size_t index) { path_.emplace_back(index); }
  void leave() { path_.pop_back(); }

  void problem(std::string what);
  [[nodiscard]] const std::vector<model_problem>& problems() const {
    return problems_;
  }

private:
  std::vector<std::variant<std::string_view, std::size_t>> path_;
  std::vector<model_problem> problems_;
};

using read_model = json (*)(const json& from, model_trace& trace);

/// Reads one object. The result has the members in the order of the calls. It
/// is valid only if no problem was reported.
class model_reader {
public:
  model_reader(const json& from, model_trace& trace, std::string_view model);

  void text(std::string_view member);
  void integer(std::string_view member);
  void number(std::string_view member);
  void choice(std::string_view member,
              std::initializer_list<std::string_view> allowed);
  /// Like choice, but the member may be null or missing; both read as null.
  void choice_or_null(std::string_view member,
                      std::initializer_list<std::string_view> allowed);
  void model(std::string_view member, read_model read);
  void list(std::string_view member, read_model read);
  /// An object of any keys.
  void map(std::string_view member, read_model read);

  [[nodiscard]] json take() { return std::move(read_); }

private:
  template <class Read>
  void read(std::string_view member, Read convert);

  const json& from_;
  model_trace& trace_;
  json read_ = json::object();
};

/// Models of bare values, for lists and maps.
json read_text(const json& from, model_trace& trace);
json read_integer(const json& from, model_trace& trace);

/// The record, or ec::malformed with the first wrong member.
result<json> as_record(const json& from, read_model read);

/// The same as a `record_model`.
template <read_model read>
result<json> as_record(const json& from) {
  return as_record(from, read);
}

/// The object argument of a tool, or an error with all problems, one per line.
result<json> model_argument(std::string_view model, const json& from,
                            read_model read);

} // namespace brewery::tau2
