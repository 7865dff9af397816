#pragma once
/// The screenshots of an exported run, each once: screenshots/HASH.png beside
/// the page. Those that this machine does not have are left out.

#include "web/run_shelf.hpp"

#include <cstdint>
#include <set>

namespace brewery::web {

class exported_screenshots {
public:
  /// Of the run `id`, in the existing directory `out`.
  exported_screenshots(run_shelf& shelf, std::string id,
                       std::filesystem::path out)
      : shelf_(shelf), id_(std::move(id)), out_(std::move(out)) {}

  result<void> add(const std::string& hash);
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

private:
  run_shelf& shelf_;
  const std::string id_;
  const std::filesystem::path out_;
  std::set<std::string> seen_;
  std::uint64_t bytes_ = 0;
};

} // namespace brewery::web
