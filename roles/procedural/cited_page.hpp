#pragma once
/// A document that an integrator without a model writes line by line, with the
/// insights behind each line.

#include "messages/kb_msgs.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace brewery {

class cited_page {
public:
  void line(const std::string& text, std::vector<insight_id> sources = {}) {
    body_ += text + "\n";
    ++number_;
    if (sources.empty()) return;
    std::sort(sources.begin(), sources.end());
    sources.erase(std::unique(sources.begin(), sources.end()), sources.end());
    evidence_.push_back({number_, std::move(sources)});
  }
  integrate_result take(job_id id) {
    return {std::move(id), std::move(body_), std::move(evidence_)};
  }

private:
  std::string body_;
  std::uint32_t number_ = 0;
  std::vector<line_evidence> evidence_;
};

} // namespace brewery
