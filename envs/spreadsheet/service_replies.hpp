#pragma once
/// Reads the services' answers from JSON. Pure. An invalid answer is
/// ec::environment and names the member.

#include "envs/spreadsheet/ports.hpp"

namespace brewery::spreadsheet {

result<std::string> read_text(const json& from, const char* member);
result<isolation_facts> read_isolation(const json& hello);
result<kernel_facts> read_kernel_facts(const json& hello);
result<office_functions> read_office_functions(const json& hello);
result<std::uint64_t> read_kernel_number(const json& reply);
result<cell_outcome> read_cell_outcome(const json& reply);
/// "failed" is a failure of the office program, so it is an error.
result<recalculation_outcome> read_recalculation(const json& reply);
result<case_grade> read_case_grade(const json& reply);
result<workbook_facts> read_workbook_facts(const json& reply);

} // namespace brewery::spreadsheet
