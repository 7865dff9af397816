#include "llm/accounts/spend.hpp"

#include "base/hash.hpp"
#include "base/printable.hpp"
#include "base/terminal_text.hpp"
#include "base/text.hpp"
#include "llm/accounts/saturating.hpp"

#include <fmt/format.h>

namespace brewery {

namespace {

/// Every terminal shows this many columns.
constexpr std::size_t table_width = 80;

template <class T>
void add_to(T& sum, T more) {
  sum = saturating_sum(sum, more);
}

void add_usage(token_usage& to, const token_usage& more) {
  add_to(to.prompt, more.prompt);
  add_to(to.cached, more.cached);
  add_to(to.completion, more.completion);
  add_to(to.reasoning, more.reasoning);
}

bool was_cut(const model_answer& answer) {
  const auto* chat = std::get_if<chat_reply>(&answer.reply);
  return chat != nullptr && chat->finish == chat_finish::length;
}

std::string time_text(std::uint64_t ms) {
  const auto seconds = static_cast<double>(ms) / 1000;
  return seconds < 60 ? fmt::format("{:.1f} s", seconds)
                      : duration_text(seconds);
}

std::string cached_text(const token_usage& usage) {
  if (usage.prompt == 0) return "-";
  return fmt::format("{:.1f} %", 100 * static_cast<double>(usage.cached)
                                     / static_cast<double>(usage.prompt));
}

std::vector<std::string> row_of(std::string role, std::string model,
                                const spend_line& line) {
  const bool replayed = line.usage == token_usage{} && line.asked_ms == 0;
  const bool unknown =
      replayed || (line.calls > 0 && line.uncounted == line.calls);
  return {std::move(role),
          std::move(model),
          std::to_string(line.calls),
          unknown ? "-" : std::to_string(line.usage.prompt),
          cached_text(line.usage),
          unknown ? "-" : std::to_string(line.usage.completion),
          line.cost == 0 ? "-" : dollars_text(line.cost),
          line.untimed > 0 || replayed ? "-" : time_text(line.asked_ms)};
}

/// Waiting for turns and pauses, where it is known.
std::uint64_t waited_ms(const spend_line& line) {
  return line.untimed == 0 && line.duration_ms > line.asked_ms
             ? line.duration_ms - line.asked_ms
             : 0;
}

nlohmann::ordered_json json_of(const spend_line& line) {
  nlohmann::ordered_json out{{"calls", line.calls},
                             {"prompt_tokens", line.usage.prompt},
                             {"cached_tokens", line.usage.cached},
                             {"completion_tokens", line.usage.completion},
                             {"reasoning_tokens", line.usage.reasoning},
                             {"cost_usd", dollars_of(line.cost)},
                             {"cut", line.cut}};
  if (line.untimed == 0) {
    out["seconds"] = static_cast<double>(line.asked_ms) / 1000;
    out["seconds_waited"] = static_cast<double>(waited_ms(line)) / 1000;
  }
  if (line.uncounted > 0) {
    out["uncounted"] = line.uncounted;
    out["uncounted_tokens_at_most"] = line.uncounted_tokens;
  }
  if (line.lost > 0) {
    out["maybe_charged"] = line.lost;
    out["maybe_charged_usd_at_most"] = dollars_of(line.lost_cost);
  }
  return out;
}

} // namespace

spend_line& spend_line::operator+=(const spend_line& other) {
  calls += other.calls;
  add_usage(usage, other.usage);
  add_to(cost, other.cost);
  uncounted += other.uncounted;
  add_to(uncounted_tokens, other.uncounted_tokens);
  cut += other.cut;
  duration_ms += other.duration_ms;
  asked_ms += other.asked_ms;
  untimed += other.untimed;
  lost += other.lost;
  add_to(lost_tokens, other.lost_tokens);
  add_to(lost_cost, other.lost_cost);
  return *this;
}

std::uint64_t spend_line::tokens_at_most() const {
  return saturating_sum(saturating_sum(usage.prompt, usage.completion),
                        saturating_sum(uncounted_tokens, lost_tokens));
}

picodollars spend_line::cost_at_most() const {
  return saturating_sum(cost, lost_cost);
}

void model_spend::add(const model_record& record) {
  spend_line one;
  one.asked_ms = record.asked_ms;
  one.duration_ms = record.duration_ms;
  const auto tokens =
      saturating_sum(record.usage.prompt, record.usage.completion);
  if (record.is_lost()) {
    one.lost = 1;
    one.lost_tokens = tokens;
    one.lost_cost = record.cost;
  } else {
    one.calls = 1;
    if (record.role == "agent" || record.role == "user")
      attempts.insert(hash64(record.job.value));
    one.cost = record.cost;
    one.cut = record.answer && was_cut(*record.answer) ? 1 : 0;
    one.untimed = record.model.empty() ? 1 : 0;
    one.uncounted = record.is_uncounted() ? 1 : 0;
    if (record.is_uncounted())
      one.uncounted_tokens = tokens;
    else
      one.usage = record.usage;
  }
  lines[{record.role, record.model}] += one;
}

spend_line model_spend::total() const {
  spend_line out;
  for (const auto& [key, line] : lines)
    out += line;
  return out;
}

double cost_usd_of(const model_spend& spend) {
  return dollars_of(spend.total().cost_at_most());
}

std::string spend_text(const model_spend& spend) {
  if (spend.lines.empty()) return {};
  std::vector<std::vector<std::string>> rows{
      {"role", "model", "calls", "prompt", "cached", "reply", "cost", "time"}};
  for (const auto& [key, line] : spend.lines)
    rows.push_back(row_of(printable(key.first),
                          key.second.empty() ? "-" : printable(key.second),
                          line));
  const auto all = spend.total();
  if (spend.lines.size() > 1) rows.push_back(row_of("total", "", all));
  auto out = table(rows, table_width);
  if (all.uncounted > 0)
    out += fmt::format("uncounted  {} of servers that count no tokens: the "
                       "table has no tokens\n"
                       "           of them, and as their cost what was "
                       "reserved, which is the most\n",
                       counted(all.uncounted, "call"));
  if (all.lost > 0)
    out += fmt::format("uncertain  {} may be charged, at most {};\n"
                       "           {} not in the table, but in the budget\n",
                       counted(all.lost, "failed attempt"),
                       dollars_text(all.lost_cost),
                       all.lost == 1 ? "it is" : "they are");
  if (all.cut > 0)
    out += fmt::format("cut        {} ended at the limit of tokens\n",
                       all.cut == 1 ? "1 reply"
                                    : fmt::format("{} replies", all.cut));
  if (waited_ms(all) >= 1000)
    out += fmt::format("waited     {} for turns and between attempts, not in "
                       "the table\n",
                       time_text(waited_ms(all)));
  return out;
}

nlohmann::ordered_json spend_json(const model_spend& spend) {
  auto out = nlohmann::ordered_json::array();
  for (const auto& [key, line] : spend.lines) {
    nlohmann::ordered_json item{{"role", key.first}};
    if (!key.second.empty()) item["model"] = key.second;
    item.update(json_of(line));
    out.push_back(std::move(item));
  }
  return out;
}

} // namespace brewery
