#include "report/sweep/sweep_page.hpp"

#include "report/sweep/charts.hpp"
#include "report/sweep/markup.hpp"
#include "report/sweep/page_style.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace brewery {

namespace sweep_view {

namespace {

std::string column_markup(const table_column& column) {
  return fmt::format("<th scope=\"col\"{}>{}</th>",
                     column.number ? " class=\"n\"" : "", escaped(column.name));
}

std::string cell_markup(const table_cell& cell, const table_column& column,
                        bool header, bool best) {
  auto out = header ? std::string("<th scope=\"row\"") : std::string("<td");
  // A long name gets room beside numbers that never break.
  out += column.number           ? " class=\"n\">"
         : cell.text.size() > 12 ? " class=\"w\">"
                                 : ">";
  out += escaped(cell.text);
  if (header && best) out += "<span class=\"badge\">highest</span>";
  if (!cell.note.empty()) out += "<small>" + escaped(cell.note) + "</small>";
  return out + (header ? "</th>" : "</td>");
}

/// The table in a box that scrolls by itself, also by the keyboard. `label`
/// names the box and is unique on the page.
std::string table_markup(const figure_table& table, std::string_view label) {
  auto out = fmt::format("<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
                         "aria-label=\"{}\"><table><caption>{}</caption>"
                         "<thead><tr>",
                         escaped(label), escaped(table.caption));
  for (const auto& column : table.columns)
    out += column_markup(column);
  out += "</tr></thead><tbody>\n";
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const bool best = table.marked == i;
    out += best ? "<tr class=\"best\">" : "<tr>";
    for (std::size_t j = 0; j < table.columns.size(); ++j)
      out += cell_markup(table.rows[i][j], table.columns[j], j == table.header,
                         best);
    out += "</tr>\n";
  }
  return out + "</tbody></table></div>\n";
}

std::string chart_markup(const figure_chart& chart) {
  auto out = fmt::format("<section class=\"chart\"><h3>{}</h3>\n",
                         escaped(chart.title));
  if (!chart.reading.empty()) out += "<p>" + escaped(chart.reading) + "</p>\n";
  out += chart.svg + '\n';
  if (!chart.key.empty()) out += "<ul class=\"key\">" + chart.key + "</ul>\n";
  return out + "<details><summary>The numbers</summary>"
         + table_markup(chart.numbers, "Numbers of the chart: " + chart.title)
         + "</details></section>\n";
}

std::string head_markup(const sweep_figures& sweep) {
  return fmt::format(
      "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" "
      "lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
      "'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action "
      "'none'\"/>\n"
      "<meta name=\"viewport\" content=\"width=device-width, "
      "initial-scale=1\"/>\n"
      "<meta name=\"generator\" content=\"Brewery {}\"/>\n"
      "<title>Sweep {}</title>\n<style>{}</style>\n</head>\n",
      escaped(sweep.version), escaped(sweep.name), page_style);
}

std::string tile_markup(std::string_view name, const std::string& value) {
  return fmt::format("<div><dt>{}</dt><dd>{}</dd></div>", name, escaped(value));
}

/// What the whole sweep came to, at a glance.
std::string tiles_markup(const sweep_figures& sweep) {
  const auto all = totals_of(sweep);
  auto out =
      "<dl class=\"tiles\">"
      + tile_markup("points", count_text(sweep.points.size()))
      + tile_markup("runs finished",
                    fmt::format("{} of {}", all.finished, all.runs))
      + tile_markup("rollouts asked for", count_text(all.rollouts))
      + tile_markup("of them reused",
                    all.rollouts == 0
                        ? "-"
                        : share_text(static_cast<double>(all.reused)
                                     / static_cast<double>(all.rollouts)));
  if (all.cost_usd > 0) out += tile_markup("cost", money_text(all.cost_usd));
  return out + "</dl>\n";
}

std::string result_section(const sweep_figures& sweep) {
  auto out = "<section><h2 id=\"result\">Result</h2>"
             "\n<p class=\"headline\">"
             + escaped(headline(sweep)) + "</p>\n";
  if (const auto notes = cautions(sweep); !notes.empty()) {
    out += "<ul class=\"cautions\">";
    for (const auto& note : notes)
      out += "<li>" + escaped(note) + "</li>";
    out += "</ul>\n";
  }
  return out + tiles_markup(sweep) + "</section>\n";
}

std::string points_section(const sweep_figures& sweep) {
  auto out = "<section><h2 id=\"points\">Points</h2>"
             "\n"
             + table_markup(points_table(sweep), "Points");
  if (const auto grown = growth_table(sweep); !grown.rows.empty())
    out += "<p></p><details><summary>How far the trees grew</summary>"
           + table_markup(grown, "How far the trees grew") + "</details>";
  if (const auto savings = savings_table(sweep); !savings.rows.empty())
    out +=
        "<p></p><details><summary>What reuse, bounds and races saved</summary>"
        + table_markup(savings, "Rollouts saved") + "</details>";
  if (const auto options = options_table(sweep); !options.columns.empty())
    out += "<p></p><details><summary>What each point sets</summary>"
           + table_markup(options, "Options of the points") + "</details>";
  return out + "</section>\n";
}

std::string methods_section(const sweep_figures& sweep) {
  const auto table = methods_table(sweep);
  if (table.columns.empty()) return {};
  return "<section><h2 id=\"methods\">Methods by benchmark</h2>\n"
         + table_markup(table, "Methods") + "</section>\n";
}

std::string charts_sections(const sweep_figures& sweep) {
  std::string out;
  for (const auto& chart : {scores_chart(sweep), cost_chart(sweep),
                            heat_map(sweep), progress_chart(sweep)})
    if (chart) out += chart_markup(*chart);
  if (!out.empty())
    out = "<section><h2 id=\"charts\">Charts</h2>\n"
          "<div class=\"charts mixed\">\n"
          + out + "</div></section>\n";
  const auto curves = curve_charts(sweep);
  if (curves.empty()) return out;
  out += "<section><h2 id=\"curves\">By iteration"
         "</h2>\n<p>Train is dashed with squares, eval a line with circles, "
         "the diamond at the right is the test score at the end. All have the "
         "same axes; means over seeds.</p>\n<div class=\"charts\">\n";
  for (const auto& chart : curves)
    out += chart_markup(chart);
  return out + "</div></section>\n";
}

std::string documents_section(const sweep_figures& sweep) {
  const auto table = documents_table(sweep);
  if (table.rows.empty()) return {};
  return "<section><h2 id=\"documents\">"
         "Documents</h2>\n<p>Each published document on the sealed tasks whose "
         "attempts were shown it.</p>\n"
         + table_markup(table, "Documents") + "</section>\n";
}

std::string runs_section(const sweep_figures& sweep) {
  return "<section><h2 id=\"runs\">Runs</h2>\n"
         + table_markup(runs_table(sweep), "Runs") + "</section>\n";
}

std::string legend_section(const sweep_figures& sweep) {
  std::string out = "<section><h2 id=\"legend\">How "
                    "to read this</h2>\n<dl class=\"legend\">\n";
  for (const auto& [term, meaning] : legend(sweep))
    out += fmt::format("<dt>{}</dt><dd>{}</dd>\n", escaped(term),
                       escaped(meaning));
  return out + "</dl></section>\n";
}

} // namespace

} // namespace sweep_view

std::string sweep_html(const sweep_figures& sweep) {
  using namespace sweep_view;
  auto out = head_markup(sweep)
             + "<body>\n<a class=\"skip\" href=\"#main\">Skip to the result</a>"
               "\n<header><h1>Sweep "
             + escaped(sweep.name) + "</h1>\n<p class=\"facts\">"
             + escaped(sweep.benchmark) + "</p></header>\n<main id=\"main\">\n";
  out += result_section(sweep);
  if (!sweep.points.empty())
    out += methods_section(sweep) + points_section(sweep)
           + charts_sections(sweep) + documents_section(sweep)
           + runs_section(sweep);
  return out + legend_section(sweep)
         + fmt::format("</main>\n<footer>Made {} by Brewery {}.</footer>\n"
                       "</body>\n</html>\n",
                       escaped(sweep.made), escaped(sweep.version));
}

} // namespace brewery
