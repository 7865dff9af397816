#include "envs/spreadsheet/service_replies.hpp"

#include "base/printable.hpp"
#include "messages/json.hpp"

#include <fmt/format.h>

namespace brewery::spreadsheet {

namespace {

error odd(const char* member, const json& from) {
  constexpr std::size_t shown_bytes_max = 200;
  const auto text =
      ascii_line(from.dump(-1, ' ', true, json::error_handler_t::replace),
                 shown_bytes_max);
  return {
      ec::environment,
      fmt::format("a service's answer has no usable \"{}\": {}", member, text)};
}

std::string text_or_empty(const json& from, const char* member) {
  const auto found = from.find(member);
  return found != from.end() && found->is_string() ? found->get<std::string>()
                                                   : std::string{};
}

std::uint64_t count_or_zero(const json& from, const char* member) {
  const auto found = from.find(member);
  return found != from.end() && found->is_number_unsigned()
             ? found->get<std::uint64_t>()
             : 0;
}

bool is_set(const json& from, const char* member) {
  const auto found = from.find(member);
  return found != from.end() && found->is_boolean() && found->get<bool>();
}

std::vector<std::string> texts(const json& from, const char* member) {
  std::vector<std::string> out;
  const auto found = from.find(member);
  if (found == from.end() || !found->is_array()) return out;
  for (const auto& item : *found)
    if (item.is_string()) out.push_back(item.get<std::string>());
  return out;
}

result<comparison> read_comparison(const json& reply, const char* member) {
  const auto found = reply.find(member);
  if (found == reply.end() || !found->is_object()) return odd(member, reply);
  const auto passed = found->find("passed");
  if (passed == found->end() || !passed->is_boolean())
    return odd("passed", *found);
  return comparison{passed->get<bool>(), text_or_empty(*found, "why")};
}

} // namespace

result<std::string> read_text(const json& from, const char* member) {
  const auto found = from.find(member);
  if (found == from.end() || !found->is_string()) return odd(member, from);
  return found->get<std::string>();
}

result<isolation_facts> read_isolation(const json& hello) {
  isolation_facts out;
  auto isolation = read_text(hello, "isolation");
  if (!isolation) return isolation.error();
  out.isolation = std::move(*isolation);
  if (const auto rungs = hello.find("rungs");
      rungs != hello.end() && rungs->is_object())
    for (const auto& [name, why] : rungs->items())
      out.rungs.emplace_back(name, why.is_string() ? why.get<std::string>()
                                                   : why.dump());
  return out;
}

result<kernel_facts> read_kernel_facts(const json& hello) {
  auto isolation = read_isolation(hello);
  if (!isolation) return isolation.error();
  kernel_facts out{std::move(*isolation), {}, {}, {}, {}};
  out.python = text_or_empty(hello, "python");
  out.openpyxl = text_or_empty(hello, "openpyxl");
  out.pandas = text_or_empty(hello, "pandas");
  out.numpy = text_or_empty(hello, "numpy");
  return out;
}

result<office_functions> read_office_functions(const json& hello) {
  const auto found = hello.find("functions");
  if (found == hello.end() || !found->is_object())
    return odd("functions", hello);
  return office_functions{texts(*found, "prefixed"), texts(*found, "unknown")};
}

result<std::uint64_t> read_kernel_number(const json& reply) {
  if (auto why = text_or_empty(reply, "refused"); !why.empty())
    return error{ec::invalid_argument, std::move(why)};
  const auto found = reply.find("kernel");
  if (found == reply.end() || !found->is_number_unsigned())
    return odd("kernel", reply);
  return found->get<std::uint64_t>();
}

result<cell_outcome> read_cell_outcome(const json& reply) {
  static const std::pair<std::string_view, cell_status> known[] = {
      {"ok", cell_status::ok},
      {"error", cell_status::error},
      {"timeout", cell_status::timeout},
      {"died", cell_status::died}};
  if (is_set(reply, "disk_full"))
    return error{ec::disk_full,
                 "the disk of the workspaces is full; what code does there "
                 "says nothing about it"};
  const auto status = text_or_empty(reply, "status");
  for (const auto& [name, value] : known)
    if (status == name)
      return cell_outcome{value, text_or_empty(reply, "output"),
                          count_or_zero(reply, "cut_bytes"),
                          is_set(reply, "killed")};
  return odd("status", reply);
}

result<recalculation_outcome> read_recalculation(const json& reply) {
  static const std::pair<std::string_view, recalculation_status> known[] = {
      {"ok", recalculation_status::computed},
      {"unchanged", recalculation_status::unchanged},
      {"invalid", recalculation_status::invalid},
      {"timeout", recalculation_status::timeout},
      {"crashed", recalculation_status::crashed}};
  const auto status = text_or_empty(reply, "status");
  const auto detail = text_or_empty(reply, "detail");
  for (const auto& [name, value] : known)
    if (status == name)
      return recalculation_outcome{
          value, detail,
          std::chrono::milliseconds{count_or_zero(reply, "elapsed_ms")},
          texts(reply, "volatile").empty()};
  if (status == "failed")
    return error{ec::environment, "recalculation: it failed: " + detail};
  return odd("status", reply);
}

result<case_grade> read_case_grade(const json& reply) {
  auto official = read_comparison(reply, "official");
  if (!official) return official.error();
  auto repaired = read_comparison(reply, "repaired");
  if (!repaired) return repaired.error();
  return case_grade{std::move(*official), std::move(*repaired)};
}

result<workbook_facts> read_workbook_facts(const json& reply) {
  workbook_facts out;
  const auto loads = reply.find("loads");
  if (loads == reply.end() || !loads->is_boolean()) return odd("loads", reply);
  out.loads = loads->get<bool>();
  out.why = text_or_empty(reply, "why");
  out.formulas = count_or_zero(reply, "formulas");
  if (const auto answer = reply.find("answer"); answer != reply.end()
                                                && answer->is_object()
                                                && answer->contains("official"))
    out.uncached = count_or_zero((*answer)["official"], "uncached");
  out.volatile_functions = texts(reply, "volatile");
  out.sheets = texts(reply, "sheets");
  return out;
}

} // namespace brewery::spreadsheet
