#include "learners/agent_kb/task_session.hpp"

#include "base/text.hpp"
#include "base/utf8.hpp"
#include "messages/embed_jobs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

namespace brewery {

namespace {

/// A rollout that only looks, without knowledge: see roles/roles.hpp.
constexpr std::string_view survey_method = "survey";

/// Of a log that nobody condenses so many lines are searched for, the last
/// ones, each up to its length: more would drown the words of the task, and no
/// embedder takes all.
constexpr std::size_t last_lines = 20;
constexpr std::size_t line_bytes_most = 400;

std::string first_of(const std::vector<named_text>& texts,
                     std::string_view name) {
  auto all = texts_of(texts, name);
  return all.empty() ? std::string{} : std::move(all.front());
}

std::size_t number_in(const std::string& text) {
  std::size_t out = 0;
  std::from_chars(text.data(), text.data() + text.size(), out);
  return out;
}

/// What tools showed last, as they showed it.
std::string end_of(const std::vector<trajectory_step>& steps) {
  std::vector<std::string> lines; // the last one first
  for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
    const auto shown = split(step->observation, '\n');
    for (auto line = shown.rbegin(); line != shown.rend(); ++line)
      if (const auto text = trim(*line);
          !text.empty() && lines.size() < last_lines)
        lines.emplace_back(utf8_prefix(text, line_bytes_most));
    if (lines.size() == last_lines) break;
  }
  std::ranges::reverse(lines);
  return join(lines, "\n");
}

} // namespace

task_session::task_session(std::shared_ptr<const session_settings> settings,
                           session_kind kind, learner_task task,
                           std::uint32_t trial, std::uint32_t retry_trial,
                           bool reflect)
    : settings_(std::move(settings)), kind_(kind), task_(std::move(task)),
      trial_(trial), retry_trial_(retry_trial), reflect_(reflect) {}

task_session::orders task_session::ask(job work, bool whole,
                                       continuation then) {
  awaited_ = work.id;
  then_ = then;
  return {{std::move(work), whole}};
}

task_session::orders task_session::ask_memory(memory_job work,
                                              continuation then) {
  work.id = identity(work);
  return ask(make_job(std::move(work)), false, then);
}

task_session::orders task_session::ask_vectors(std::vector<std::string> texts,
                                               continuation then) {
  return ask(
      make_job(make_embed_job(std::move(texts), settings_->search.embedder)),
      false, then);
}

memory_job task_session::step(const char* name) const {
  memory_job out;
  out.learner = agent_kb_role;
  out.step = name;
  out.task = task_.id;
  out.seed = settings_->search.seed;
  out.fingerprint = settings_->search.fingerprint;
  out.texts.push_back({memory_texts::task, task_.instruction});
  return out;
}

task_session::orders task_session::stop(std::string why) {
  over_ = true;
  trouble_ = std::move(why);
  return {};
}

task_session::orders task_session::begin() {
  const auto& options = settings_->options;
  if (kind_ == session_kind::retry || !options.planning
      || settings_->index.size() == 0)
    return attempt(trial_);
  if (!options.survey) return reason();
  auto look = settings_->search;
  look.method = survey_method;
  return ask(make_job(make_rollout_job(look, task_.id, 0, {}, false)), true,
             &task_session::surveyed);
}

task_session::orders task_session::on(const job_result& answer) {
  if (over_ || answer.id != awaited_) return {};
  awaited_ = {};
  if (!answer.error.empty()
      && !std::holds_alternative<rollout_result>(answer.output))
    return stop(answer.error);
  return (this->*then_)(answer);
}

task_session::orders task_session::surveyed(const job_result& answer) {
  const auto& made = std::get<rollout_result>(answer.output);
  survey_calls_ = made.steps.size();
  note_tools(made.steps);
  if (made.outcome == rollout_outcome::graded)
    survey_.push_back({made.id, made.steps, made.error, {}});
  return reason();
}

task_session::orders task_session::reason() {
  if (!settings_->options.reason) {
    query_ = task_.instruction;
    return ask_place();
  }
  auto work = step(agent_kb_steps::reason);
  work.attempts = survey_;
  return ask_memory(std::move(work), &task_session::reasoned);
}

task_session::orders task_session::reasoned(const job_result& answer) {
  const auto& made = std::get<memory_result>(answer.output);
  query_ = first_of(made.texts, memory_texts::query);
  goal_ = first_of(made.texts, memory_texts::goal);
  if (trim(query_).empty()) query_ = task_.instruction; // no usable reply
  return ask_place();
}

/// Not every embedder takes an empty text.
task_session::orders task_session::ask_place() {
  return ask_vectors({query_, goal_.empty() ? query_ : goal_},
                     &task_session::placed);
}

void task_session::retrieve(const std::string& text, facet_vectors facets) {
  if (!settings_->options.retrieve) return;
  const experience_query query{text,
                               std::move(facets),
                               settings_->domain,
                               {tools_.begin(), tools_.end()}};
  for (const auto& hit : settings_->index.search(query, settings_->options.k))
    if (std::ranges::find(hits_, hit.entry) == hits_.end())
      hits_.push_back(hit.entry);
}

task_session::orders task_session::placed(const job_result& answer) {
  const auto& vectors = std::get<embed_result>(answer.output).vectors;
  retrieve(query_ + '\n' + goal_, {vectors[0], vectors[1], {}});
  if (hits_.empty()) return attempt(trial_);
  if (!settings_->options.refine) {
    give_as_found();
    return attempt(trial_);
  }
  auto work = step(agent_kb_steps::refine);
  work.texts.push_back({memory_texts::query, query_});
  add_experiences(work);
  return ask_memory(std::move(work), &task_session::refined);
}

/// Without `refine`: each experience is a document of its own.
void task_session::give_as_found() {
  knowledge_.clear();
  guidance_.clear();
  for (const auto hit : hits_) {
    const auto doc = settings_->documents->add(settings_->markdown[hit]);
    knowledge_.push_back(
        {concept_id{static_cast<std::uint32_t>(knowledge_.size())}, doc->hash});
    guidance_ += doc->body;
  }
  cited_ = hits_;
}

void task_session::add_experiences(memory_job& to) const {
  for (const auto hit : hits_) {
    to.texts.push_back({memory_texts::experience, settings_->markdown[hit]});
    to.texts.push_back(
        {memory_texts::quality,
         fmt::format("{:.3f}", settings_->index.entry(hit).quality)});
  }
}

/// Empty guidance: there is nothing to say, and the agent gets no document.
void task_session::take_guidance(const memory_result& made) {
  guidance_ = first_of(made.texts, memory_texts::guidance);
  knowledge_.clear();
  if (!trim(guidance_).empty())
    knowledge_.push_back(
        {concept_id{0}, settings_->documents->add(guidance_)->hash});
  cited_.clear();
  for (const auto& text : texts_of(made.texts, memory_texts::cites))
    if (const auto number = number_in(text);
        number >= 1 && number <= hits_.size())
      cited_.push_back(hits_[number - 1]);
}

task_session::orders task_session::refined(const job_result& answer) {
  take_guidance(std::get<memory_result>(answer.output));
  return attempt(trial_);
}

task_session::orders task_session::attempt(std::uint32_t trial) {
  auto work = make_rollout_job(settings_->search, task_.id, trial, knowledge_,
                               reflect_);
  // What was found already need not be found again.
  if (!knowledge_.empty()) work = with_all_shown(std::move(work));
  return ask(make_job(std::move(work)), true,
             attempts_.empty() ? &task_session::attempted
                               : &task_session::retried);
}

/// The experiences behind the documents that the attempt was shown: whoever
/// retrieves by a query of its own may be shown none or some.
std::vector<std::size_t>
task_session::shown_in(const std::vector<retrieval_record>& retrievals) const {
  std::set<doc_hash> shown;
  for (const auto& record : retrievals)
    shown.insert(record.documents.begin(), record.documents.end());
  std::vector<std::size_t> out;
  if (knowledge_.size() > 1) { // without `refine` each is one experience
    for (std::size_t i = 0; i < cited_.size(); ++i)
      if (shown.contains(knowledge_[i].hash)) out.push_back(cited_[i]);
    return out;
  }
  if (knowledge_.empty() || !shown.contains(knowledge_.front().hash)) return {};
  out = cited_;
  if (settings_->says_why)
    for (const auto hit : planned_)
      if (std::ranges::find(cited_, hit) == cited_.end()) out.push_back(hit);
  return out;
}

/// A procedural agent says of each call whether a rule made it, one of the
/// first plan too. The reason of a model is in its own words, so all that was
/// cited counts.
std::vector<doc_hash>
task_session::used_in(const rollout_result& attempt) const {
  std::set<std::string> called;
  for (const auto& step : attempt.steps)
    if (step.reason == "rule") called.insert("`" + step.tool + "(");
  std::vector<doc_hash> out;
  for (const auto hit : shown_in(attempt.retrievals)) {
    const auto& text = settings_->markdown[hit];
    const auto follows = [&](const std::string& call) {
      return text.find(call) != std::string::npos;
    };
    if (!settings_->says_why || std::ranges::any_of(called, follows))
      out.push_back({settings_->index.entry(hit).id});
  }
  return out;
}

/// By their tools experiences of other domains are told from those of this one.
void task_session::note_tools(const std::vector<trajectory_step>& steps) {
  for (const auto& step : steps)
    if (!step.tool.empty()) tools_.insert(step.tool);
}

session_attempt task_session::finished(const job_result& answer) {
  auto made = std::get<rollout_result>(answer.output);
  session_attempt out;
  out.calls = made.steps.size();
  note_tools(made.steps);
  out.used = used_in(made);
  out.log = {made.id, std::move(made.steps), made.error, {}};
  made.steps.clear();
  made.retrievals.clear();
  out.rollout = std::move(made);
  return out;
}

task_session::orders task_session::attempted(const job_result& answer) {
  auto done = finished(answer);
  first_ = done.log;
  const bool full = kind_ == session_kind::full;
  const bool graded = done.rollout.outcome == rollout_outcome::graded;
  const bool told = full && settings_->oracle && graded;
  // Whoever knows that it is solved does not try again.
  const bool known_solved = told && done.rollout.grade.reward >= 1;
  if (told) first_.grade.push_back(done.rollout.grade);
  if (!reflect_) done.log = {};
  attempts_.push_back(std::move(done));
  const bool again = kind_ == session_kind::blind_retry
                     || kind_ == session_kind::retry
                     || (full && settings_->options.feedback && !known_solved);
  if (!again || !graded) {
    over_ = true;
    return {};
  }
  if (full && settings_->index.size() > 0) return review();
  return attempt(retry_trial_);
}

task_session::orders task_session::review() {
  if (!settings_->options.reason) {
    query_ = task_.instruction + '\n' + end_of(first_.steps);
    return ask_vectors({query_}, &task_session::issues_placed);
  }
  auto work = step(agent_kb_steps::review);
  work.texts.push_back({memory_texts::guidance, guidance_});
  work.attempts.push_back(first_);
  return ask_memory(std::move(work), &task_session::reviewed);
}

task_session::orders task_session::reviewed(const job_result& answer) {
  const auto& made = std::get<memory_result>(answer.output);
  query_ = first_of(made.texts, memory_texts::query);
  issues_ = texts_of(made.texts, memory_texts::issue);
  if (trim(query_).empty()) return attempt(retry_trial_); // no usable reply
  auto texts = issues_;
  texts.insert(texts.begin(), query_);
  return ask_vectors(std::move(texts), &task_session::issues_placed);
}

/// By the summary, and by each issue on its own.
task_session::orders task_session::issues_placed(const job_result& answer) {
  const auto& vectors = std::get<embed_result>(answer.output).vectors;
  retrieve(query_, {vectors[0], {}, {}});
  for (std::size_t i = 0; i < issues_.size(); ++i)
    retrieve(issues_[i], {vectors[i + 1], {}, {}});
  if (hits_.empty()) return attempt(retry_trial_);
  if (!settings_->options.refine) {
    give_as_found();
    return attempt(retry_trial_);
  }
  // Advice is about issues; who names none has the hits refined once more.
  auto work = step(settings_->options.reason ? agent_kb_steps::advise
                                             : agent_kb_steps::refine);
  work.texts.push_back({memory_texts::guidance, guidance_});
  work.texts.push_back({memory_texts::query, query_});
  for (const auto& issue : issues_)
    work.texts.push_back({memory_texts::issue, issue});
  add_experiences(work);
  return ask_memory(std::move(work), &task_session::advised);
}

task_session::orders task_session::advised(const job_result& answer) {
  const auto& made = std::get<memory_result>(answer.output);
  advice_ = first_of(made.texts, memory_texts::guidance);
  const bool first_plan = trim(guidance_).empty();
  if (trim(advice_).empty() || advice_ == guidance_)
    return attempt(retry_trial_);
  const auto before = std::exchange(guidance_, {});
  const auto plan = std::exchange(knowledge_, {});
  const auto cited = cited_;
  planned_ = cited;
  take_guidance(made);
  // There is no plan that the advice could be unlike.
  if (settings_->options.gate <= 0 || first_plan) return attempt(retry_trial_);
  guidance_ = before;
  advised_knowledge_ = std::exchange(knowledge_, plan);
  advised_cites_ = std::exchange(cited_, cited);
  return ask_vectors({before, advice_}, &task_session::compared_plans);
}

task_session::orders task_session::compared_plans(const job_result& answer) {
  const auto& vectors = std::get<embed_result>(answer.output).vectors;
  if (passes_gate(cosine_of(vectors[0], vectors[1]), settings_->options.gate)) {
    knowledge_ = std::move(advised_knowledge_);
    cited_ = std::move(advised_cites_);
  } else {
    gated_ = true;
  }
  return attempt(retry_trial_);
}

task_session::orders task_session::retried(const job_result& answer) {
  attempts_.push_back(finished(answer));
  if (!reflect_) attempts_.back().log = {};
  over_ = true;
  return {};
}

} // namespace brewery
