/// Slurm: a job array whose tasks are workers. The batch script becomes the
/// worker (exec), so SIGTERM of scancel, preemption and time limits reaches it.

#include "base/text.hpp"
#include "cli/cluster_up/engine.hpp"

namespace brewery {

namespace {

/// Below Slurm's KillWait, 30 s by default, after which it sends SIGKILL.
constexpr const char* grace_s = "20";

std::string script(const worker_array& array) {
  auto words = worker_line(array, "");
  if (option_value(words, "--grace").empty())
    words.insert(words.end(), {"--grace", grace_s});
  // The name: the only word that the shell of the task fills in.
  const auto name = array.name + "-\"$SLURM_ARRAY_TASK_ID\"";
  std::string out = "exec";
  for (std::size_t i = 0; i < words.size(); ++i)
    out += ' ' + (i == 3 ? name : shell_word(words[i]));
  return out;
}

class slurm final : public worker_engine {
  std::vector<engine_command> list(const worker_array& array) const override {
    if (array.handles.empty()) return {};
    return {{{"squeue", "--noheader", "--array", "--me", "--name=" + array.name,
              "--format=%F_%K %T"},
             {}}};
  }

  result<std::vector<engine_worker>>
  listed(const worker_array& array, const std::string& answer) const override {
    std::map<std::string, std::string, std::less<>> states;
    for (const auto line : split(answer, '\n')) {
      const auto words = split(trim(line), ' ');
      if (words.size() == 2) states[std::string{words[0]}] = words[1];
    }
    std::vector<engine_worker> out;
    for (const auto& [id, handle] : array.handles)
      if (const auto it = states.find(handle);
          it != states.end() && it->second != "COMPLETING")
        out.push_back({id, it->second == "RUNNING"});
    return out;
  }

  std::vector<engine_command> start(const worker_array& array,
                                    const worker_ids& ids) const override {
    // %a is the task. Options of the user come last and win.
    std::vector<std::string> words{"sbatch",
                                   "--parsable",
                                   "--job-name=" + array.name,
                                   "--array=" + id_ranges(ids),
                                   "--chdir=" + array.directory,
                                   "--output=" + array.name + "-%a.log",
                                   "--open-mode=append",
                                   "--requeue"};
    words.insert(words.end(), array.engine_words.begin(),
                 array.engine_words.end());
    words.push_back("--wrap=" + script(array));
    return {{std::move(words), {}}};
  }

  /// "12" or "12;cluster".
  result<std::map<std::uint32_t, std::string>>
  started(const worker_ids& ids, const std::string& answer) const override {
    const auto job = std::string{split(trim(answer), ';').front()};
    if (job.empty() || job.find_first_not_of("0123456789") != job.npos)
      return error{ec::malformed, "sbatch named no job but " + shell_word(job)};
    std::map<std::uint32_t, std::string> out;
    for (const auto id : ids)
      out[id] = job + '_' + std::to_string(id);
    return out;
  }

  std::vector<engine_command> stop(const worker_array& array,
                                   const worker_ids& ids) const override {
    std::vector<std::string> words{"scancel", "--quiet"};
    for (const auto id : ids)
      if (const auto it = array.handles.find(id); it != array.handles.end())
        words.push_back(it->second);
    if (words.size() == 2) return {};
    return {{std::move(words), {}}};
  }
};

} // namespace

const worker_engine& slurm_engine() {
  static const slurm only;
  return only;
}

} // namespace brewery
