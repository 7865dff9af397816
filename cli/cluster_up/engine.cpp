#include "cli/cluster_up/engine.hpp"

#include "base/text.hpp"

namespace brewery {

const worker_engine& engine_of(const std::string& name) {
  if (name == "slurm") return slurm_engine();
  if (name == "ray") return ray_engine();
  if (name == "k8s") return k8s_engine();
  BREWERY_ASSERT(name == "ssh");
  return ssh_engine();
}

std::map<std::uint32_t, std::string> id_lines(const std::string& text) {
  std::map<std::uint32_t, std::string> out;
  for (const auto line : split(text, '\n')) {
    const auto words = split(trim(line), ' ');
    if (words.size() != 2) continue;
    const auto id = whole_number<std::uint32_t>(words[0]);
    if (id && *id < array_workers_max) out[*id] = words[1];
  }
  return out;
}

std::vector<engine_worker> workers_of_lines(const std::string& text) {
  std::vector<engine_worker> out;
  for (const auto& [id, state] : id_lines(text))
    out.push_back({id, state == "running"});
  return out;
}

std::string id_ranges(const worker_ids& ids) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < ids.size();) {
    std::size_t last = i;
    while (last + 1 < ids.size() && ids[last + 1] == ids[last] + 1)
      ++last;
    parts.push_back(std::to_string(ids[i])
                    + (last > i ? '-' + std::to_string(ids[last]) : ""));
    i = last + 1;
  }
  return join(parts, ",");
}

} // namespace brewery
