/// `brewery report`.

#include "base/file.hpp"
#include "cli/commands.hpp"
#include "cli/compare/place_names.hpp"
#include "cli/configuration.hpp"
#include "cli/progress_bar.hpp"
#include "cli/terminal.hpp"
#include "report/compare/run_groups.hpp"
#include "report/sweep/sweep_markdown.hpp"
#include "report/sweep/sweep_page.hpp"

#include <fmt/format.h>

#include <memory>

namespace brewery {

namespace {

constexpr const char* report_footer =
    "Writes report.html, one file that opens from disk, and report.md: the "
    "scores of points with\nintervals over seeds and tasks, cost against "
    "score, curves, and what each document was shown\nin. A sweep's report "
    "goes into its directory, another one where --out says. Only logs are "
    "read,\nso runs may still be going on, and copies will do.\n\nExamples:\n"
    "  brewery report sweeps/table5\n  brewery report 3x3=a-s1,a-s2 "
    "10x3=b-s1,b-s2 --out report";

struct report_arguments {
  std::vector<std::string> words;
  std::string name, out, runs_dir;
};

/// The sweep's own directory, if there is nothing but a sweep.
result<std::filesystem::path> folder_for(const report_arguments& arguments) {
  if (!arguments.out.empty()) return std::filesystem::path{arguments.out};
  if (arguments.words.size() == 1 && is_sweep(arguments.words.front()))
    return std::filesystem::path{arguments.words.front()};
  return error{ec::invalid_argument,
               "say where the report goes: --out DIRECTORY"};
}

/// A run's own report has the same name.
result<void> may_replace(const std::filesystem::path& report) {
  const auto text = read_file(report);
  std::error_code none;
  if (const auto page = std::filesystem::path{report}.replace_extension("html");
      !text && std::filesystem::exists(page, none))
    return error{ec::already_exists,
                 page.string()
                     + " is not the report of a sweep, which has a report.md "
                       "beside it; choose another --out"};
  if (!text && text.error().code == ec::not_found) return {};
  if (!text) return text.error();
  if (text->starts_with(sweep_title)) return {};
  return error{ec::already_exists,
               report.string()
                   + " is not the report of a sweep; choose another --out"};
}

result<void> write_pages(const std::filesystem::path& folder,
                         const sweep_figures& figures) {
  if (auto ok = make_directories(folder); !ok) return ok;
  for (const auto& [file, text] :
       {std::pair{"report.md", sweep_markdown(figures)}, // whose page it is
        std::pair{"report.html", sweep_html(figures)}})
    if (auto ok = write_file_atomically(folder / file, text); !ok) return ok;
  return {};
}

sweep_figures figures_of(const std::string& name, const named_runs& named,
                         std::vector<error>& problems) {
  std::size_t runs = 0;
  for (const auto& one : named.points)
    runs += one.runs.size();
  progress_bar meter{"runs", runs};
  const auto now = std::chrono::system_clock::now();
  auto out = collect(name, named.points, now, problems,
                     [&](const std::filesystem::path& run) {
                       auto made = figures_of_run(run, now);
                       meter.step();
                       return made;
                     });
  add_absent(out, named.not_begun, named.left_out);
  return out;
}

int report_command(const report_arguments& arguments) {
  std::vector<error> problems;
  const auto named =
      run_groups(arguments.words,
                 places_below(runs_directory(arguments.runs_dir)), problems);
  if (!problems.empty()) return report(problems);
  const auto folder = folder_for(arguments);
  if (!folder) return report(folder.error());
  if (auto ok = may_replace(*folder / "report.md"); !ok)
    return report(ok.error());
  const auto name =
      arguments.name.empty()
          ? std::filesystem::absolute(*folder / "").parent_path().filename()
          : std::filesystem::path{arguments.name};
  const auto figures = figures_of(name.string(), named, problems);
  if (auto ok = write_pages(*folder, figures); !ok)
    problems.push_back(ok.error());
  else
    std::fputs(fmt::format("report     {}\n           {}\n",
                           (*folder / "report.html").string(),
                           (*folder / "report.md").string())
                   .c_str(),
               stdout);
  return report(problems);
}

} // namespace

void add_report_command(CLI::App& app, chosen_command& chosen) {
  auto* command = add_command(app, "report",
                              "Write the report of a sweep, or of runs side "
                              "by side, as one page.",
                              report_footer);
  auto arguments = std::make_shared<report_arguments>();
  command
      ->add_option("SWEEP", arguments->words,
                   "Directory of a sweep, or points as NAME=RUN,RUN,...")
      ->required();
  command->add_option("--out", arguments->out, "Directory for the two files.")
      ->check(not_empty);
  command->add_option("--name", arguments->name,
                      "Title of the report; default: the directory's name.");
  add_runs_dir_option(*command, arguments->runs_dir);
  command->callback([arguments, &chosen] {
    chosen = [=] { return report_command(*arguments); };
  });
}

} // namespace brewery
