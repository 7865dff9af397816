/// Kubernetes: the replicas of a Deployment, which are all alike. Ids 0 to n-1
/// stand for n replicas; which pod ends when there are fewer, Kubernetes says.

#include "base/text.hpp"
#include "cli/cluster_up/engine.hpp"

#include <algorithm>
#include <charconv>

namespace brewery {

namespace {

std::uint32_t count_of(std::string_view word) {
  std::uint32_t out = 0;
  std::from_chars(word.data(), word.data() + word.size(), out);
  return std::min(out, array_workers_max);
}

class k8s final : public worker_engine {
  static engine_command kubectl(const worker_array& array,
                                std::vector<std::string> words) {
    words.insert(words.begin(), "kubectl");
    words.push_back("deployment/" + array.deployment);
    words.push_back("--namespace=brewery");
    words.insert(words.end(), array.engine_words.begin(),
                 array.engine_words.end()); // another namespace wins
    return {std::move(words), {}};
  }

  static engine_command scale(const worker_array& array, std::uint32_t count) {
    return kubectl(array, {"scale", "--replicas=" + std::to_string(count)});
  }

  std::vector<engine_command> list(const worker_array& array) const override {
    return {kubectl(array, {"get", "--output=jsonpath={.spec.replicas} "
                                   "{.status.readyReplicas}"})};
  }

  /// "8 6", or "8 " if none is ready.
  result<std::vector<engine_worker>>
  listed(const worker_array&, const std::string& answer) const override {
    const auto words = split(trim(answer), ' ');
    const auto replicas = count_of(words.front());
    if (replicas == 0 && words.front() != "0")
      return error{ec::malformed, "kubectl named no number of replicas"};
    const auto ready = words.size() > 1 ? count_of(words[1]) : 0;
    std::vector<engine_worker> out;
    for (std::uint32_t id = 0; id < replicas; ++id)
      out.push_back({id, id < ready});
    return out;
  }

  std::vector<engine_command> start(const worker_array& array,
                                    const worker_ids& ids) const override {
    return {scale(array, ids.back() + 1)};
  }

  result<std::map<std::uint32_t, std::string>>
  started(const worker_ids& ids, const std::string&) const override {
    std::map<std::uint32_t, std::string> out;
    for (const auto id : ids)
      out[id] = "";
    return out;
  }

  std::vector<engine_command> stop(const worker_array& array,
                                   const worker_ids& ids) const override {
    return {scale(array, ids.front())};
  }
};

} // namespace

const worker_engine& k8s_engine() {
  static const k8s only;
  return only;
}

} // namespace brewery
