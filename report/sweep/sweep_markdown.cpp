#include "report/sweep/sweep_markdown.hpp"

#include "base/printable.hpp"
#include "report/sweep/charts.hpp"

#include <fmt/format.h>

namespace brewery {

namespace sweep_view {

namespace {

/// As the reader should see it: nothing in it is markup, a link or a cell's
/// end.
std::string plain(std::string_view text) {
  std::string out;
  for (const char c : single_line(text)) {
    if (std::string_view("\\`*_[]<>|~!#&$").find(c) != std::string_view::npos)
      out += '\\';
    out += c;
  }
  return out;
}

std::string markdown_table(const figure_table& table) {
  if (table.columns.empty() || table.rows.empty()) return {};
  std::string out = plain(table.caption) + ":\n\n|", rule = "|";
  for (const auto& column : table.columns) {
    out += ' ' + plain(column.name) + " |";
    rule += column.number ? "---:|" : "---|";
  }
  out += '\n' + rule + '\n';
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    out += '|';
    for (std::size_t j = 0; j < table.rows[i].size(); ++j) {
      const auto& cell = table.rows[i][j];
      auto text = plain(cell.text);
      if (table.marked == i && j == table.header && !text.empty())
        text = "**" + text + "**";
      if (!cell.note.empty()) text += " (" + plain(cell.note) + ')';
      out += ' ' + text + " |";
    }
    out += '\n';
  }
  return out + '\n';
}

std::string section_of(std::string_view title, const std::string& content) {
  return content.empty() ? "" : fmt::format("## {}\n\n{}", title, content);
}

} // namespace

} // namespace sweep_view

std::string sweep_markdown(const sweep_figures& sweep) {
  using namespace sweep_view;
  auto out = fmt::format("{}{}\n\n", sweep_title, plain(sweep.name));
  if (!sweep.benchmark.empty()) out += plain(sweep.benchmark) + "\n\n";
  out += "**" + plain(headline(sweep)) + "**\n\n";
  for (const auto& note : cautions(sweep))
    out += "- " + plain(note) + '\n';
  if (!cautions(sweep).empty()) out += '\n';
  out +=
      section_of("Methods by benchmark", markdown_table(methods_table(sweep)));
  out += section_of("Points", markdown_table(points_table(sweep))
                                  + markdown_table(growth_table(sweep))
                                  + markdown_table(savings_table(sweep))
                                  + markdown_table(options_table(sweep)));
  const auto cost = cost_chart(sweep);
  out += section_of("Cost against score",
                    cost ? markdown_table(cost->numbers) : "");
  out += section_of("Width and depth", markdown_table(heat_table(sweep)));
  out += section_of("By iteration", markdown_table(curves_table(sweep)));
  out += section_of("Documents", markdown_table(documents_table(sweep)));
  out += section_of("Runs", markdown_table(runs_table(sweep)));
  out += "## How to read this\n\n";
  for (const auto& [term, meaning] : legend(sweep))
    out += fmt::format("- **{}**: {}\n", plain(term), plain(meaning));
  return out
         + fmt::format("\nMade {} by Brewery {}.\n", plain(sweep.made),
                       plain(sweep.version));
}

} // namespace brewery
