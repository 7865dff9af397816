#include "roles/model/llm_integrator.hpp"

#include "base/printable.hpp"
#include "base/text.hpp"
#include "roles/model/document_reply.hpp"
#include "roles/model/documents/document_limit.hpp"
#include "roles/model/documents/dropped_line.hpp"
#include "roles/model/documents/integration_text.hpp"
#include "roles/model/documents/kept_facts.hpp"
#include "roles/model/reply_text.hpp"
#include "roles/model/token_estimate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace brewery {

namespace {

std::string parts_text(const std::vector<document_part>& parts) {
  std::string out;
  for (const auto& part : parts)
    out += fmt::format("{}{}\n{}", out.empty() ? "" : "\n\n", part.heading,
                       part.asks);
  return out;
}

std::string limit_text(std::size_t tokens) {
  if (tokens == 0) return {};
  return fmt::format("{} tokens, which are about {} characters without the "
                     "numbers of insights",
                     tokens, tokens * bytes_per_token);
}

/// Also of insights that the prompt has no room for.
insight_support support_of(const integrate_job& job) {
  insight_support out;
  for (const auto& counted : job.insights)
    out.emplace(counted.item->id, counted.count);
  return out;
}

/// What a document has lost without saying so.
struct loss {
  std::vector<std::string> facts;    ///< of the parent
  std::vector<std::size_t> insights; ///< indices into those that were shown
};

/// What a document with its dropped list has lost.
loss loss_of(const integrate_result& made, const std::string& dropped,
             const integrate_job& job, const document* parent,
             const numbered_insights& insights) {
  const auto named = named_insights(dropped);
  std::set<insight_id> ids;
  for (const auto number : named)
    if (number >= 1 && number <= insights.ids.size())
      ids.insert(insights.ids[number - 1]);
  loss out;
  if (parent)
    out.facts =
        lost_facts(without_points(parent->body, job.parent_evidence, ids),
                   made.body + "\n" + dropped);
  out.insights = unused_insights(insights, made);
  std::erase_if(out.insights, [&](auto i) { return named.contains(i + 1); });
  return out;
}

/// The first of them, and how many more there are.
std::string facts_text(const std::vector<std::string>& facts,
                       std::size_t most) {
  constexpr std::size_t max_fact_bytes = 200;
  std::string out;
  for (std::size_t i = 0; i < std::min(most, facts.size()); ++i)
    out += (i > 0 ? ", " : "") + shown(facts[i], max_fact_bytes);
  if (facts.size() > most)
    out += fmt::format(" and {} more", facts.size() - most);
  return out;
}

error facts_error(const std::vector<std::string>& facts) {
  constexpr std::size_t most = 10;
  return {ec::malformed,
          fmt::format("the document lacks facts of the one before it: {}; put "
                      "them back, or name them in a line 'Dropped: ...' at the "
                      "end",
                      facts_text(facts, most))};
}

/// For people; empty if nothing is lost.
std::string loss_text(const loss& lost, const integrate_job& job,
                      const numbered_insights& insights) {
  std::vector<std::string> parts;
  if (!lost.facts.empty())
    parts.push_back("lacks of the document before it "
                    + facts_text(lost.facts, 1));
  if (!lost.insights.empty())
    parts.push_back(fmt::format(
        "has {} of {} insights in no point, the first: {}",
        lost.insights.size(), insights.shown.size(),
        shown(insights.shown[lost.insights.front()]->item->sentence)));
  if (parts.empty()) return {};
  return fmt::format("{} {}", single_line(job.title), join(parts, "; it "));
}

/// Errors of a server that takes the first request, but not the repair turn.
bool refuses_repair(ec code) {
  return code == ec::context_too_long || code == ec::refused_content
         || code == ec::invalid_argument;
}

} // namespace

/// Reads the replies of one integration in turn.
class llm_integrator::reply_reader {
public:
  reply_reader(const llm_integrator& writer, const integrate_job& job,
               const document* parent, const numbered_insights& insights,
               const document_request& wanted, job_context& context)
      : writer_(writer), job_(job), parent_(parent), insights_(insights),
        wanted_(wanted), context_(context) {}

  result<integrate_result> read(const chat_reply& reply) {
    const bool again = lossy_.has_value();
    auto made = checked(reply);
    // A document that lacks facts is better than none.
    if (!made && again) return *lossy_;
    return made;
  }

  /// The document that was only asked for again for its lost facts, if any.
  [[nodiscard]] const std::optional<integrate_result>& lossy() const {
    return lossy_;
  }

  /// Counts what the document that was read last has lost.
  void note_loss() const {
    if (!lost_.empty()) writer_.ask_.note(context_, &role_counts::lost, lost_);
  }

private:
  result<integrate_result> checked(const chat_reply& reply) {
    if (reply.finish == chat_finish::length)
      return error{ec::malformed, "it was cut off"};
    const bool told = std::exchange(told_, true);
    const bool keep = writer_.options_.keep_facts;
    const auto parts =
        keep ? take_dropped(reply.content) : told_document{reply.content, {}};
    auto made = read_document(parts.document, wanted_);
    if (!made) return made;
    const auto lost =
        keep ? loss_of(*made, parts.dropped, job_, parent_, insights_) : loss{};
    made = writer_.within_limit(std::move(*made), told, job_, context_);
    if (!made) return made;
    lost_ = loss_text(lost, job_, insights_);
    if (told || lost.facts.empty()) return made;
    lossy_ = std::move(*made);
    return facts_error(lost.facts);
  }

  const llm_integrator& writer_;
  const integrate_job& job_;
  const document* parent_;
  const numbered_insights& insights_;
  const document_request& wanted_;
  job_context& context_;
  bool told_ = false; ///< the model knows what is wrong with its first reply
  std::optional<integrate_result> lossy_;
  std::string lost_;
};

std::string llm_integrator::fingerprint() const {
  return ask_.fingerprint({"integrator"})
         + fmt::format(" parts={} t={} max={} told={} keep={}", parts_.size(),
                       options_.send_temperature, options_.max_document_tokens,
                       options_.max_insights, options_.keep_facts);
}

result<integrate_result>
llm_integrator::within_limit(integrate_result made, bool told,
                             const integrate_job& job,
                             job_context& context) const {
  const std::size_t most = options_.max_document_tokens * bytes_per_token;
  if (most == 0 || made.body.size() <= most) return made;
  const auto problem =
      fmt::format("the document has about {} tokens ({} characters); "
                  "at most {} are allowed: shorten its sentences, "
                  "then drop what is contradicted, what has the "
                  "fewest rollouts behind it, and what is oldest",
                  estimated_tokens(made.body.size()), made.body.size(),
                  options_.max_document_tokens);
  if (told)
    if (auto cut = shortened(made, support_of(job), most)) {
      ask_.note(context, &role_counts::shortened, problem);
      return std::move(*cut);
    }
  return error{ec::malformed, problem};
}

result<integrate_result> llm_integrator::integrate(const integrate_job& job,
                                                   const document* parent,
                                                   job_context& context) const {
  const auto insights = number_insights(job, options_.max_insights);
  if (const auto told = insights.shown.size(); told < job.insights.size())
    ask_.note(context, &role_counts::left_out,
              fmt::format("{} of {} insights on {} are in the prompt "
                          "(integrator.max_insights)",
                          told, job.insights.size(), single_line(job.title)));
  document_request wanted{collapse_spaces(job.title), parts_, insights.ids, {}};
  if (parent)
    wanted.known = evidence_of_points(parent->body, job.parent_evidence);
  auto request = ask_.prompted(
      "integrator",
      {{"parts", {parts_text(parts_)}},
       {"checked", options_.keep_facts ? std::vector<std::string>{"yes"}
                                       : std::vector<std::string>{}},
       {"limit", {limit_text(options_.max_document_tokens)}},
       {"title", {wanted.title}},
       {"parent",
        {parent ? cited_text(parent->body, job.parent_evidence, insights)
                : "(none yet)"}},
       {"score", {score_text(job.parent_score)}},
       {"missed", {missed_text(job.missed)}},
       {"neighbours", {titles_text(job.neighbours)}},
       {"insights", {insights_text(insights)}}});
  if (options_.send_temperature) request.temperature = job.temperature;
  reply_reader reader{*this, job, parent, insights, wanted, context};
  auto made = ask_.ask_until_read<integrate_result>(
      std::move(request),
      [&](const chat_reply& reply) { return reader.read(reply); }, context);
  if (!made && reader.lossy() && refuses_repair(made.error().code))
    made = *reader.lossy();
  if (!made) return made;
  reader.note_loss();
  made->id = job.id;
  return made;
}

} // namespace brewery
