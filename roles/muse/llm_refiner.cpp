#include "roles/muse/llm_refiner.hpp"

#include "kb/muse/memory_text.hpp"
#include "roles/muse/muse_replies.hpp"

#include <fmt/format.h>

namespace brewery {

std::string llm_refiner::fingerprint() const {
  return "muse-refiner/1 " + ask_.fingerprint({"muse-refine"});
}

result<memory_result> llm_refiner::perform(const memory_job& job,
                                           const std::vector<std::string>&,
                                           job_context& context) const {
  const auto names = texts_of(job.texts, "application");
  const auto before = texts_of(job.texts, "procedures");
  if (job.step != "refine" || names.size() != 1 || before.size() != 1)
    return error{
        ec::invalid_argument,
        fmt::format("muse has no step \"{}\" with these texts", job.step)};
  auto request = ask_.prompted("muse-refine", {{"procedures", before}});
  request.schema_name = "procedures";
  request.schema = muse::procedures_schema();
  const auto reply = ask_.ask(std::move(request), context);
  if (!reply) return reply.error();
  memory_result out;
  out.id = job.id;
  const auto made = muse::read_procedures(reply->content, names.front());
  muse::memory refined;
  if (!made)
    ask_.note(context, &role_counts::dropped, made.error().message);
  else if (const auto done = muse::merge(refined, *made);
           !done.refused.empty() || done.added.size() != made->size())
    ask_.note(context, &role_counts::dropped,
              done.refused.empty() ? "two procedures have one name"
                                   : done.refused.front());
  else if (auto text = muse::application_text(refined, names.front());
           !text.empty())
    out.texts = {{"procedures", std::move(text)}};
  return out;
}

} // namespace brewery
