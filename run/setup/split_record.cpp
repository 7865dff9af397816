#include "run/setup/split_record.hpp"

#include "base/file.hpp"

#include <nlohmann/json.hpp>

namespace brewery {

namespace {

constexpr const char* file_name = "tasks.json";

nlohmann::ordered_json ids_of(const std::vector<learner_task>& tasks) {
  auto out = nlohmann::ordered_json::array();
  for (const auto& task : tasks)
    out.push_back(task.id.value);
  return out;
}

} // namespace

result<void> record_split(const std::filesystem::path& run,
                          const problem& what) {
  const nlohmann::ordered_json now{{"benchmark", what.source->name()},
                                   {"train", ids_of(what.train)},
                                   {"eval", ids_of(what.eval)},
                                   {"test", ids_of(what.test)}};
  const auto path = run / file_name;
  const auto text = now.dump(1) + "\n";
  const auto before = read_file(path);
  if (!before && before.error().code == ec::not_found)
    return write_file_atomically(path, text);
  if (!before) return before.error();
  if (*before == text) return {};
  return error{ec::version_mismatch,
               path.string()
                   + ": the tasks differ from those at the start of the run; "
                     "restore the data, or start a new run"};
}

} // namespace brewery
