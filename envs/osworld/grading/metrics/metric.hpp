#pragma once
/// The metrics that are computed natively, with the names and results of
/// OSWorld's desktop_env/evaluators/metrics; where those have a known bug, a
/// comment says what is done instead. Pure.

#include "envs/osworld/grading/graded_value.hpp"

#include <map>
#include <string_view>

namespace brewery::osworld {

/// What a metric compares. `expected` is null if the task gives none.
struct metric_input {
  const graded_value& result;
  const graded_value* expected;
  const json& options;
};
using metric_function = metric_score (*)(const metric_input&);
using metric_table = std::map<std::string_view, metric_function>;

// By topic; `native_metrics` joins them.
const metric_table& value_metrics();
const metric_table& text_metrics();
const metric_table& json_metrics();
const metric_table& settings_metrics();
const metric_table& vlc_metrics();
const metric_table& vlc_state_metrics();
const metric_table& thunderbird_metrics();
const metric_table& tab_metrics();
const metric_table& tree_metrics();
const metric_table& office_metrics();

/// Null: there is no native metric of this name.
metric_function native_metric(std::string_view name);

/// Whether all selectors of rules about an accessibility tree can be read, and
/// no text of them is compared approximately.
bool knows_tree_rules(const json& rules);

// -- for metrics --------------------------------------------------------------

/// The rules object of a task: an error if there is none, as KeyError or
/// TypeError.
result<json> rules_of(const metric_input& in);
/// A member of the rules; an error if it is missing, as KeyError.
result<json> rule_of(const metric_input& in, const char* name);
/// The content of a file in text mode; an error if there is no file.
result<std::string> text_of(const graded_value& value);
/// Whether there is nothing to read: None, or an empty path.
bool is_missing(const graded_value& value);
/// `needle in haystack` of Python; an error for a TypeError.
result<bool> py_contains(const json& haystack, const json& needle);
/// _match_value_to_rule(value, rule).
result<bool> matches_rule(const json& value, const json& rule);
/// An option that is true of Python's truth.
bool is_on(const json& options, const char* name, bool otherwise);
/// bool(value).
bool is_true(const json& value);

} // namespace brewery::osworld
