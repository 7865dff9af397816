/// Ray: detached actors, each with a worker as its process. What Ray is told is
/// in ray_workers.py.

#include "base/json.hpp"
#include "cli/cluster_up/engine.hpp"
#include "cli/cluster_up/ray_program.hpp"

namespace brewery {

namespace {

class ray final : public worker_engine {
  static engine_command tell(const worker_array& array, std::string_view verb,
                             const json& more) {
    json order{{"do", verb}, {"name", array.name}};
    order.update(more);
    return {{"python3", "-", order.dump()},
            std::string{ray_program().front().text}};
  }

  std::vector<engine_command> list(const worker_array& array) const override {
    return {tell(array, "list", json::object())};
  }

  result<std::vector<engine_worker>>
  listed(const worker_array&, const std::string& answer) const override {
    return workers_of_lines(answer);
  }

  std::vector<engine_command> start(const worker_array& array,
                                    const worker_ids& ids) const override {
    auto workers = json::object();
    for (const auto id : ids)
      workers[std::to_string(id)] = {
          {"words", worker_line(array, worker_name(array, id))},
          {"log", worker_log(array, id)}};
    return {tell(array, "start",
                 {{"directory", array.directory},
                  {"options", array.engine_words},
                  {"workers", workers}})};
  }

  result<std::map<std::uint32_t, std::string>>
  started(const worker_ids&, const std::string& answer) const override {
    auto out = id_lines(answer);
    for (auto& [id, handle] : out)
      handle.clear(); // Ray knows their names
    return out;
  }

  std::vector<engine_command> stop(const worker_array& array,
                                   const worker_ids& ids) const override {
    // Their --grace, 30 s by default, and time to hand back.
    const auto grace = option_value(array.worker_words, "--grace");
    const double grace_s = grace.empty() ? 30 : std::atof(grace.c_str());
    return {tell(array, "stop", {{"ids", ids}, {"stop_s", grace_s + 10}})};
  }
};

} // namespace

const worker_engine& ray_engine() {
  static const ray only;
  return only;
}

} // namespace brewery
