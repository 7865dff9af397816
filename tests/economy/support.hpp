#pragma once
/// A world in which agents play with documents, to compare what is reused with
/// what would have been played. Documents are a few words; an agent reads some
/// of them and does what it has read.

#include "base/hash.hpp"
#include "base/rng.hpp"
#include "economy/rollout_reuse.hpp"
#include "kb/bm25.hpp"
#include "kb/knowledge_base.hpp"

#include <catch2/catch.hpp>

#include <array>
#include <sstream>

namespace brewery::test {

/// Reads the capital words of each document, in the order shown.
class capital_words final : public reader {
public:
  explicit capital_words(bool knows_draws = false)
      : knows_draws_(knows_draws) {}
  [[nodiscard]] bool knows_draws() const override { return knows_draws_; }

  class one final : public reading {
  public:
    std::string next(const std::vector<const document*>& shown) override {
      return capitals_of(shown);
    }
  };
  [[nodiscard]] std::unique_ptr<reading> begin() const override {
    return std::make_unique<one>();
  }
  static std::string capitals_of(const std::vector<const document*>& shown) {
    std::string out;
    for (const auto* doc : shown) {
      std::istringstream words{doc->body};
      for (std::string word; words >> word;)
        if (word.front() >= 'A' && word.front() <= 'Z') out += word + ' ';
    }
    return out;
  }

private:
  bool knows_draws_;
};

struct small_world {
  std::shared_ptr<document_store> documents =
      std::make_shared<document_store>();
  replay_options how{.top_k = 2, .bm25 = {}};
  std::size_t played = 0;
  /// Whether the agent does what the words say that it does not read.
  bool lies = false;
  /// Whether it draws, after some of what it may read, and says when.
  bool draws = false;

  std::vector<doc_ref> kb(const std::vector<std::string>& bodies) const {
    std::vector<doc_ref> out;
    for (std::uint32_t i = 0; i < bodies.size(); ++i)
      out.push_back({concept_id{i}, documents->add(bodies[i])->hash});
    return out;
  }

  static job rollout(std::uint64_t task, std::vector<doc_ref> knowledge,
                     bool reflect = false, std::uint32_t trial = 0) {
    rollout_job work;
    work.task = task_id{"t" + std::to_string(task)};
    work.trial = trial;
    work.knowledge = std::move(knowledge);
    work.reflect = reflect;
    work.id = identity(work);
    return make_job(std::move(work));
  }

  /// Asks for what the words read so far say, three times at most.
  job_result play(const job& work) {
    ++played;
    const auto& rollout = std::get<rollout_job>(work.input);
    const auto base = resolve(rollout.knowledge, *documents);
    REQUIRE(base);
    const auto index = index_of(*base);
    rollout_result out;
    out.id = work.id;
    out.task = rollout.task;
    out.trial = rollout.trial;
    out.before_draw = draws ? never_drew : 0;
    std::string known = rollout.task.value;
    for (std::uint32_t step = 0; step < 3; ++step) {
      const auto query = query_after(known);
      retrieval_record record{step, query, {}};
      std::vector<const document*> shown;
      const auto place = vector_of(query);
      if (step == 0 && how.by_vectors && !rollout.reflect)
        for (const auto& hit : index->search({query, place}, base->size()))
          out.ranking.push_back(base->entries()[hit.index].concept_ref);
      for (const auto& hit : index->search({query, place}, how.top_k)) {
        shown.push_back(base->entries()[hit.index].doc.get());
        record.documents.push_back(shown.back()->hash);
        if (lies) known += shown.back()->body;
      }
      known += capital_words::capitals_of(shown);
      out.retrievals.push_back(std::move(record));
      out.steps.push_back(
          {"assistant", "do", "{}", known, false, true, "rule"});
      if (out.before_draw == never_drew && draws_after(known)) {
        out.before_draw = step + 1;
        known += "draw " + std::to_string(out.trial);
      }
    }
    out.grade.reward = static_cast<double>(hash64(known) % 5) / 4;
    if (rollout.reflect) {
      insight item;
      item.sentence = "known: " + known;
      item.id = identity(item);
      out.insights = {std::move(item)};
      out.ratings = {{"knows", out.grade.reward, known}};
    }
    return make_result(std::move(out));
  }

  [[nodiscard]] std::shared_ptr<const retriever>
  index_of(const knowledge_base& base) const {
    if (!how.by_vectors) return make_bm25(base, how.bm25);
    std::vector<text_vector> places;
    for (const auto& entry : base.entries())
      places.push_back(std::make_shared<const std::vector<double>>(
          vector_of(entry.doc->body)));
    const auto made = how.by_vectors(base, places);
    REQUIRE(made);
    return *made;
  }

  /// How often each letter from a to h comes: texts of like words are near.
  static std::vector<double> vector_of(std::string_view text) {
    std::vector<double> out(8, 0.0);
    for (const char letter : text)
      if (letter >= 'a' && letter <= 'h')
        out[static_cast<std::size_t>(letter - 'a')] += 1;
    return out;
  }

  static bool draws_after(const std::string& known) {
    return hash64(known, 7) % 3 == 0;
  }

  static std::string query_after(const std::string& known) {
    constexpr std::array words{"apple", "berry", "cedar", "daisy"};
    std::string out = "apple";
    for (const auto draw : {1U, 2U})
      out += std::string{" "} + words[hash64(known, draw) % words.size()];
    return out;
  }
};

/// Random documents that share words, some of which the agent reads.
inline std::string random_body(rng& draw) {
  constexpr std::array words{"apple", "berry", "cedar", "daisy",
                             "Turn",  "Push",  "Wait",  "look"};
  std::string out;
  for (auto left = draw.below(5) + 2; left > 0; --left)
    out += std::string{words[draw.below(words.size())]} + ' ';
  return out;
}

} // namespace brewery::test
