/// A concept's search in snapshots: what grew, and how it stands.

#include "learners/brew/concept_search.hpp"

namespace brewery {

namespace {

/// A model's vector may have thousands of numbers.
constexpr std::size_t vectors_in_part = 1'000;

saved_node saved(const node& item) {
  saved_node out{item.parent, item.hash, item.iteration,
                 item.drawn,  {},        item.challenges};
  for (const auto& measured : item.evaluations)
    out.evaluations.push_back({measured.id.value, measured.reward,
                               measured.correctness, measured.retrieval,
                               measured.evaluated, measured.least,
                               measured.raced});
  return out;
}

node node_of(const saved_node& from, std::size_t number) {
  node out;
  out.id = {static_cast<std::uint32_t>(number)};
  out.parent = from.parent;
  out.hash = from.hash;
  out.iteration = from.iteration;
  out.drawn = from.drawn;
  for (const auto& measured : from.evaluations)
    out.evaluations.push_back({{measured.id},
                               measured.reward,
                               measured.correctness,
                               measured.retrieval,
                               measured.evaluated,
                               measured.least,
                               measured.raced});
  out.challenges = from.challenges;
  return out;
}

} // namespace

saved_tree concept_search::saved() const {
  saved_tree out{about_.record, about_.neighbours, {}, about_.centre};
  for (const auto& item : tree_.nodes())
    out.nodes.push_back(brewery::saved(item));
  for (const auto& [scored, stopped] : stopped_)
    out.stopped.push_back(stopped);
  out.lost = hardness_.lost();
  out.played = hardness_.played();
  out.published = published_;
  return out;
}

std::vector<tree_growth> concept_search::take_growth() {
  std::vector<tree_growth> out;
  for (auto& part : about_.insights.take_parts(*documents_))
    out.push_back({about_.record.id, {std::move(part)}, {}, {}, {}});
  if (out.empty()) out.push_back({about_.record.id, {}, {}, {}, {}});
  for (const auto& [id, vector] : about_.vectors) {
    if (!vectors_given_.insert(id).second) continue;
    if (out.back().vectors.size() == vectors_in_part)
      out.push_back({about_.record.id, {}, {}, {}, {}});
    out.back().vectors.emplace(id, vector);
  }
  auto& last = out.back();
  for (; nodes_given_ < tree_.size(); ++nodes_given_) {
    const auto& hash = tree_.nodes()[nodes_given_].hash;
    const auto document = documents_->find(hash);
    BREWERY_ASSERT(document != nullptr);
    last.documents.push_back(document->body);
    last.evidence.emplace(hash, evidence_of(hash));
  }
  return out;
}

result<concept_search>
concept_search::restored(std::shared_ptr<const brew_settings> settings,
                         const saved_tree& from,
                         std::shared_ptr<const concept_places> places,
                         std::shared_ptr<document_store> documents) {
  std::vector<node> nodes;
  for (const auto& item : from.nodes)
    nodes.push_back(node_of(item, nodes.size()));
  auto made = tree::restored(nodes, limits_of(settings->learner.tree));
  if (!made) return made.error();
  concept_search out{
      std::move(settings),
      {from.about, {}, {}, from.neighbours, from.centre, std::move(places)},
      std::move(*made),
      std::move(documents)};
  for (const auto& item : from.stopped)
    out.stopped_.emplace(item.scored, item);
  out.hardness_ = hardness::restored(from.lost, from.played);
  if (from.published.value >= out.tree_.size())
    return error{ec::corrupt, "the published version is missing"};
  out.published_ = from.published;
  for (const auto& item : out.tree_.nodes())
    if (item.bounded() && !out.stopped_.contains(item.id))
      return error{ec::corrupt, "a stopped evaluation is missing"};
  return out;
}

result<void> concept_search::absorb(const tree_growth& growth) {
  for (const auto& part : growth.parts)
    if (auto ok = about_.insights.absorb(part, *documents_); !ok) return ok;
  for (const auto& [id, vector] : growth.vectors) {
    about_.vectors.insert_or_assign(id, vector);
    vectors_given_.insert(id);
  }
  for (const auto& body : growth.documents)
    documents_->add(body);
  for (const auto& [hash, evidence] : growth.evidence)
    evidence_.insert_or_assign(hash, evidence);
  return {};
}

concept_search::all_growth concept_search::grown() const {
  BREWERY_ASSERT(nodes_given_ == tree_.size()
                 && vectors_given_.size() == about_.vectors.size());
  return {about_.insights, about_.vectors, evidence_};
}

void concept_search::absorb(const all_growth& growth) {
  about_.insights = growth.insights;
  about_.vectors = growth.vectors;
  for (const auto& [id, vector] : about_.vectors)
    vectors_given_.insert(id);
  evidence_ = growth.evidence;
}

void concept_search::give_all_again() {
  about_.insights.give_all_again();
  vectors_given_.clear();
  nodes_given_ = 0;
}

} // namespace brewery
