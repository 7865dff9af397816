#include "roles/model/llm_integrator.hpp"

#include "base/printable.hpp"
#include "roles/model/document_reply.hpp"
#include "roles/model/reply_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace brewery {

namespace {

/// The insights in the order of their numbers: those with the most rollouts
/// first.
std::vector<const counted_insight*>
in_order(const std::vector<counted_insight>& insights) {
  std::vector<const counted_insight*> out;
  for (const auto& counted : insights)
    out.push_back(&counted);
  std::stable_sort(out.begin(), out.end(), [](const auto* a, const auto* b) {
    return a->count > b->count;
  });
  return out;
}

std::string insights_text(const std::vector<const counted_insight*>& insights) {
  if (insights.empty()) return "(none)";
  std::string out;
  for (std::size_t i = 0; i < insights.size(); ++i)
    out += fmt::format("[i{}] ({} {}) {}\n", i + 1, insights[i]->count,
                       insights[i]->count == 1 ? "rollout" : "rollouts",
                       collapse_spaces(insights[i]->item.sentence));
  return out;
}

std::string parts_text(const std::vector<document_part>& parts) {
  std::string out;
  for (const auto& part : parts)
    out += fmt::format("{}{}\n{}", out.empty() ? "" : "\n\n", part.heading,
                       part.asks);
  return out;
}

} // namespace

std::string llm_integrator::fingerprint() const {
  return ask_.fingerprint({"integrator"})
         + fmt::format(" parts={} t={}", parts_.size(), send_temperature_);
}

result<integrate_result> llm_integrator::integrate(const integrate_job& job,
                                                   const document* parent,
                                                   job_context& context) const {
  const auto order = in_order(job.insights.items());
  document_request wanted{collapse_spaces(job.title), parts_, {}};
  for (const auto* counted : order)
    wanted.insights.push_back(counted->item.id);
  auto request = ask_.prompted(
      "integrator", {{"parts", {parts_text(parts_)}},
                     {"title", {wanted.title}},
                     {"parent", {parent ? parent->body : "(none yet)"}},
                     {"insights", {insights_text(order)}}});
  if (send_temperature_) request.temperature = job.temperature;
  auto made = ask_.ask_until_read<integrate_result>(
      std::move(request),
      [&](const chat_reply& reply) -> result<integrate_result> {
        if (reply.finish == chat_finish::length)
          return error{ec::malformed, "it was cut off"};
        return read_document(reply.content, wanted);
      },
      context);
  if (made) made->id = job.id;
  return made;
}

} // namespace brewery
