#include "envs/osworld/grading/relative_time.hpp"

#include "envs/osworld/grading/graded_value.hpp"

#include <fmt/format.h>

#include <array>

namespace brewery::osworld {

namespace {

using std::chrono::days;
using std::chrono::sys_days;

constexpr std::array week_days{"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"};
constexpr std::array month_names{
    "January", "February", "March",     "April",   "May",      "June",
    "July",    "August",   "September", "October", "November", "December"};

/// 0: Monday.
unsigned week_day(sys_days day) {
  return std::chrono::weekday{day}.iso_encoding() - 1;
}

sys_days next_monday(sys_days today) {
  return today + days{7 - static_cast<int>(week_day(today))};
}

sys_days of_next_month(sys_days today, unsigned day) {
  const std::chrono::year_month_day now{today};
  const auto next = now.year() / now.month() + std::chrono::months{1};
  return sys_days{next / std::chrono::day{day}};
}

/// Null: not known here. `from` is the day before it, if there is one.
std::optional<sys_days> day_of(std::string_view phrase, sys_days today,
                               const std::optional<sys_days>& from) {
  if (!from) {
    if (phrase == "tomorrow") return today + days{1};
    if (phrase == "this month") return today;
    if (phrase == "5th next month") return of_next_month(today, 5);
    if (phrase == "10th next month") return of_next_month(today, 10);
    if (phrase == "next Monday" || phrase == "next Monday split")
      return next_monday(today);
    return {};
  }
  if (phrase == "11th next month") return of_next_month(today, 11);
  if (phrase == "next Friday" || phrase == "next Friday split")
    return *from + days{4}; // of the week that begins on that Monday
  return {};
}

std::string phrase_of(const json& rules, const char* name) {
  const auto relative =
      rules.is_object() ? rules.find("relativeTime") : rules.end();
  if (relative == rules.end() || !relative->is_object()) return {};
  const auto found = relative->find(name);
  return found != relative->end() && found->is_string()
             ? found->get<std::string>()
             : std::string{};
}

void replace_first(std::string& text, std::string_view from,
                   const std::string& to) {
  if (const auto at = text.find(from); at != std::string::npos)
    text.replace(at, from.size(), to);
}

/// In the official order: a later name may stand in what an earlier one gave.
result<json> dated(const json& format, sys_days day) {
  if (!format.is_string()) return raises("a format of time must be a text");
  const std::chrono::year_month_day at{day};
  const auto number = static_cast<unsigned>(at.day());
  const auto month = static_cast<unsigned>(at.month());
  const std::string month_name = month_names[month - 1];
  auto small_name = month_name;
  small_name[0] = static_cast<char>(small_name[0] - 'A' + 'a');
  auto text = format.get<std::string>();
  replace_first(text, "{DoW}", week_days[week_day(day)]);
  replace_first(text, "{Month}", month_name.substr(0, 3));
  replace_first(text, "{DayD}", std::to_string(number));
  replace_first(text, "{Year}", std::to_string(static_cast<int>(at.year())));
  replace_first(text, "{Month0D}", fmt::format("{:02}", month));
  replace_first(text, "{month}", small_name);
  replace_first(text, "{MonthFull}", month_name);
  replace_first(text, "{Day0D}", fmt::format("{:02}", number));
  replace_first(text, "{MonthD}", std::to_string(month));
  return json(std::move(text));
}

result<void> date_members(json& expected, const std::vector<const char*>& names,
                          sys_days day) {
  for (const auto* name : names) {
    if (!expected.contains(name))
      return raises(fmt::format("the rules expect no {}", name));
    auto text = dated(expected[name], day);
    if (!text) return text.error();
    expected[name] = std::move(*text);
  }
  return {};
}

/// "time", which may be a list of formats.
result<void> date_time(json& expected, sys_days day) {
  if (!expected.contains("time")) return raises("the rules expect no time");
  auto& time = expected["time"];
  if (!time.is_array()) return date_members(expected, {"time"}, day);
  for (auto& format : time) {
    auto text = dated(format, day);
    if (!text) return text.error();
    format = std::move(*text);
  }
  return {};
}

using member_names = std::vector<const char*>;

} // namespace

bool knows_relative_time(const json& rules) {
  const sys_days any{};
  const auto from = phrase_of(rules, "from");
  if (!day_of(from, any, {})) return false;
  if (!rules["relativeTime"].contains("to")) return from != "next Monday split";
  const auto to = phrase_of(rules, "to");
  // Pairs that the official getter knows, too.
  if (from == "10th next month") return to == "11th next month";
  return from.starts_with("next Monday") && to.starts_with("next Friday")
         && day_of(to, any, any).has_value();
}

result<json> rules_at(json rules, sys_days today) {
  if (!knows_relative_time(rules)) return raises("a relative time is unknown");
  const auto from = phrase_of(rules, "from");
  const auto day = *day_of(from, today, {});
  const auto expected = rules.find("expected");
  if (expected == rules.end() || !expected->is_object())
    return raises("the rules expect nothing");
  if (!rules["relativeTime"].contains("to")) {
    if (auto ok = date_time(*expected, day); !ok) return ok.error();
    return rules;
  }
  const auto to = phrase_of(rules, "to");
  const auto first = from == "next Monday split"
                         ? member_names{"puDay", "puMonth", "puYear"}
                         : member_names{"from"};
  const auto last = to == "next Friday split"
                        ? member_names{"doDay", "doMonth", "doYear"}
                        : member_names{"to"};
  if (auto ok = date_members(*expected, first, day); !ok) return ok.error();
  if (auto ok = date_members(*expected, last, *day_of(to, today, day)); !ok)
    return ok.error();
  return rules;
}

} // namespace brewery::osworld
