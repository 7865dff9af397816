#pragma once
/// Ports without services: a kernel whose code is words ("write TEXT", "die"),
/// a recalculation that turns "=X" into "X", a grader that compares bytes. Each
/// can be told to break.

#include "envs/spreadsheet/service_set.hpp"
#include "tests/fixtures/scratch.hpp"

#include <fstream>
#include <map>

namespace brewery::test {

namespace fs = std::filesystem;
using namespace brewery::spreadsheet;

inline std::string slurp(const fs::path& file) {
  std::ifstream in{file};
  return {std::istreambuf_iterator<char>{in}, {}};
}

inline void spill(const fs::path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  std::ofstream{file} << text;
}

inline error lost(const char* what) {
  return {ec::environment, what};
}

class fake_kernels final : public kernel_port {
public:
  explicit fake_kernels(fs::path root) : root_(std::move(root)) {}

  int break_runs = 0, break_opens = 0; ///< how many of the next
  int runs = 0;
  std::uint32_t output_bytes = 0; ///< that the last run may show
  bool refuse_fresh = false;      ///< every workspace
  int killed = 0; ///< how many cells "killed" are killed from outside
  std::map<std::uint64_t, fs::path> open_now;

  result<kernel_facts> about() override {
    return kernel_facts{{"none", {}}, "3", "3", "1", "1"};
  }
  [[nodiscard]] const fs::path& workspaces() const override { return root_; }

  result<kernel_id> open(const fs::path& workspace) override {
    if (break_opens > 0 && break_opens--) return lost("no host");
    if (fs::exists(workspace / "deep") || refuse_fresh)
      return error{ec::invalid_argument,
                   "'" + workspace.string() + "' is nested too deep"};
    open_now[++number_] = workspace;
    return kernel_id{1, number_};
  }

  result<cell_outcome> run(const kernel_id& kernel, const std::string& code,
                           const cell_limits& within) override {
    ++runs;
    output_bytes = within.output_bytes;
    if (break_runs > 0 && break_runs--) {
      // As when a host dies in the middle: half of it was done.
      spill(open_now.at(kernel.number) / "output.xlsx", "half");
      open_now.clear();
      return lost("the host is gone");
    }
    const auto place = open_now.find(kernel.number);
    if (place == open_now.end()) return lost("no such kernel");
    const auto output = place->second / "output.xlsx";
    const auto word = code.substr(0, code.find(' '));
    const auto rest = code.substr(std::min(code.size(), word.size() + 1));
    if (word == "full") return error{ec::disk_full, "the disk is full"};
    if (word == "write") spill(output, rest);
    if (word == "oddly") spill(place->second / "\xff\n.xlsx", rest);
    if (word == "copy") spill(output, slurp(place->second / "input.xlsx"));
    if (word == "aux") spill(place->second / "aux.xlsx", rest);
    if (word == "append") spill(output, slurp(output) + rest);
    if (word == "many")
      for (const char name : std::string{"abcdefg"})
        spill(place->second / (std::string{name} + ".xlsx"), rest);
    if (word == "link") fs::create_symlink("/etc/passwd", output);
    if (word == "def") return cell_outcome{cell_status::ok, "Sheet Name: S", 0};
    if (word == "count")
      return cell_outcome{cell_status::ok, std::to_string(runs), 0};
    if (word == "nest") fs::create_directory(place->second / "deep");
    if (word == "die" || word == "nest")
      return cell_outcome{cell_status::died, "", 0};
    if (word == "killed" && killed > 0 && killed--)
      return cell_outcome{cell_status::died, "", 0, true};
    if (word == "sleep") return cell_outcome{cell_status::timeout, "", 0};
    if (word == "raise") return cell_outcome{cell_status::error, rest, 0};
    return cell_outcome{cell_status::ok, "ran " + word + "\n", 0};
  }

  void close(const kernel_id& kernel) override {
    open_now.erase(kernel.number);
  }

private:
  fs::path root_;
  std::uint64_t number_ = 0;
};

class fake_recalculation final : public recalculation_port {
public:
  int break_next = 0, calls = 0;
  std::vector<recalculation_limits> limits; ///< of each call

  result<std::string> about() override { return std::string{"25.2"}; }
  result<isolation_facts> isolation() override {
    return isolation_facts{"none", {}};
  }
  result<office_functions> functions() override {
    return office_functions{{"_xlfn.STDEV.S", "_xlfn._xlws.SORT", "_xlfn.LET"},
                            {"VSTACK"}};
  }
  [[nodiscard]] std::chrono::milliseconds timeout() const override {
    return std::chrono::milliseconds{30'000};
  }
  result<recalculation_outcome>
  recalculate(const fs::path& in, const fs::path& out,
              const recalculation_limits& within) override {
    limits.push_back(within);
    using status = recalculation_status;
    ++calls;
    if (break_next > 0 && break_next--) return lost("the office fell over");
    const auto text = slurp(in);
    if (text == "no workbook")
      return recalculation_outcome{status::invalid, "not a zip file"};
    if (text == "=crash") return recalculation_outcome{status::crashed, ""};
    if (text == "=slow")
      return recalculation_outcome{status::timeout, "", within.timeout};
    if (!text.starts_with("="))
      return recalculation_outcome{status::unchanged, ""};
    spill(out, text.substr(1));
    return recalculation_outcome{status::computed, "",
                                 std::chrono::milliseconds{10'000},
                                 text.find("RAND") == std::string::npos};
  }
};

class fake_grader final : public grader_port {
public:
  int break_next = 0;
  std::vector<fs::path> answers;

  result<std::string> about() override { return std::string{"3"}; }
  result<isolation_facts> isolation() override {
    return isolation_facts{"none", {}};
  }
  result<case_grade> grade(const fs::path& answer, const fs::path& golden,
                           const sheet_position& position) override {
    if (break_next > 0 && break_next--) return lost("the grader fell over");
    answers.push_back(answer);
    const bool same = slurp(answer) == slurp(golden);
    const comparison found{same, same ? "" : "A1 differs"};
    // "B2" is only understood by the repaired parser.
    if (position.cells == "B2") return case_grade{{false, "no cells"}, found};
    return case_grade{found, found};
  }
  result<workbook_facts> inspect(const fs::path& workbook,
                                 const sheet_position&) override {
    const auto text = slurp(workbook);
    workbook_facts out{text != "broken", "cannot be read", 0, 0, {}, {"S"}};
    if (text.find("NOW") != std::string::npos) out.volatile_functions = {"NOW"};
    return out;
  }
};

/// All of them, and where a test may look.
struct fake_services {
  scratch folder;
  std::shared_ptr<fake_kernels> kernels;
  std::shared_ptr<fake_recalculation> recalculation =
      std::make_shared<fake_recalculation>();
  std::shared_ptr<fake_grader> grader = std::make_shared<fake_grader>();

  fake_services() {
    for (const auto* name : {"workspaces", "scratch", "data"})
      fs::create_directory(folder.path() / name);
    kernels = std::make_shared<fake_kernels>(folder.path() / "workspaces");
  }

  [[nodiscard]] std::shared_ptr<const service_set> set() const {
    auto out = std::make_shared<service_set>();
    out->kernels = kernels;
    out->recalculation = recalculation;
    out->grader = grader;
    out->scratch = folder.path() / "scratch";
    return out;
  }

  /// Nothing of an episode is left.
  [[nodiscard]] bool clean() const {
    return kernels->open_now.empty()
           && fs::is_empty(folder.path() / "workspaces")
           && fs::is_empty(folder.path() / "scratch");
  }
};

} // namespace brewery::test
