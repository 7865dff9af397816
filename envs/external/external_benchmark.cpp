#include "envs/external/external_benchmark.hpp"

#include "envs/external/child_pool.hpp"
#include "envs/external/external_environment.hpp"

#include <fmt/format.h>

#include <set>

namespace brewery::external {

namespace {

class external_benchmark final : public benchmark {
public:
  external_benchmark(std::shared_ptr<child_pool> pool,
                     const external_child& first)
      : pool_(std::move(pool)),
        about_(std::make_shared<const hello_reply>(first.about())),
        fingerprint_(first.fingerprint()) {
    for (const auto& task : about_->tasks)
      known_.insert(task.id);
  }

  std::string_view name() const override { return about_->name; }
  const std::string& fingerprint() const override { return fingerprint_; }
  const std::vector<task_info>& tasks() const override { return about_->tasks; }
  const std::map<std::string, std::vector<std::size_t>>&
  splits() const override {
    return about_->splits;
  }

  result<std::unique_ptr<environment>>
  make(const task_id& task, const participants&) const override {
    if (!known_.contains(task))
      return error{ec::not_found, fmt::format("{}: there is no task '{}'",
                                              about_->name, task.value)};
    auto place = pool_->acquire();
    if (!place) return place.error();
    const bool fresh = place->fresh;
    const auto child = place->child;
    auto made = start_session(pool_, std::move(*place), about_, task);
    // The child may have ended or been damaged since its last rollout. Only the
    // result of a fresh child counts.
    if (made || fresh || !child->broken()) return made;
    auto other = pool_->acquire(child_age::fresh);
    if (!other) return other.error();
    return start_session(pool_, std::move(*other), about_, task);
  }

private:
  std::shared_ptr<child_pool> pool_;
  std::shared_ptr<const hello_reply> about_;
  std::string fingerprint_;
  std::set<task_id> known_;
};

} // namespace

result<std::shared_ptr<const benchmark>>
load_external(const external_options& options) {
  auto pool = std::make_shared<child_pool>(options);
  auto first = pool->acquire();
  if (!first) return first.error();
  auto made = std::make_shared<external_benchmark>(pool, *first->child);
  pool->release(*first);
  return std::shared_ptr<const benchmark>{std::move(made)};
}

} // namespace brewery::external
