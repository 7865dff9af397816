#include "roles/procedural/rule_reading.hpp"

#include "base/hash.hpp"

namespace brewery {

namespace {

std::string hash_of(const guidance& content) {
  if (content.rules.empty() && content.goals.empty()) return {};
  hash_input in;
  for (const auto& rule : content.rules)
    in.add(rule.text);
  in.add("goals");
  for (const auto& goal : content.goals)
    in.add(to_text(goal.content));
  return in.content();
}

class rule_lines_of_one final : public reading {
public:
  explicit rule_lines_of_one(const guidance_cache& from) : read_(from) {}
  std::string next(const std::vector<const document*>& shown) override {
    return read_.add(shown);
  }

private:
  rules_read read_;
};

class rule_line_reader final : public reader {
public:
  explicit rule_line_reader(bool knows_draws) : knows_draws_(knows_draws) {}
  [[nodiscard]] std::unique_ptr<reading> begin() const override {
    return std::make_unique<rule_lines_of_one>(cache_);
  }
  [[nodiscard]] bool knows_draws() const override { return knows_draws_; }

private:
  bool knows_draws_;
  guidance_cache cache_;
};

} // namespace

std::shared_ptr<const guidance_cache::entry>
guidance_cache::of(const document& doc) const {
  const std::lock_guard lock{mutex_};
  auto& slot = read_[doc.hash];
  if (!slot) {
    auto content = parse_(doc.body);
    auto hash = hash_of(content);
    slot = std::make_shared<const entry>(
        entry{std::move(content), std::move(hash)});
  }
  return slot;
}

std::string rules_read::add(const std::vector<const document*>& shown) {
  std::string fresh;
  for (const auto* doc : shown) {
    const auto read = from_->of(*doc);
    if (!known_.insert(read.get()).second) continue;
    // Owned with its entry.
    guides_.emplace_back(read, &read->content);
    if (!read->hash.empty()) (fresh += read->hash) += ' ';
  }
  return fresh;
}

std::shared_ptr<const reader> rule_lines(bool knows_draws) {
  return std::make_shared<const rule_line_reader>(knows_draws);
}

} // namespace brewery
