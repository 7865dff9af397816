#include "kb/manifest.hpp"

#include "base/printable.hpp"
#include "messages/json_reader.hpp"

#include <fmt/format.h>

#include <set>

namespace brewery {

namespace {

json to_json(const evidence_insight& item) {
  json rollouts = json::array();
  for (const auto& rollout : item.rollouts)
    rollouts.push_back(
        {{"job", rollout.job.value}, {"task", rollout.task.value}});
  return {{"id", item.id.value},
          {"sentence", item.sentence},
          {"count", item.count},
          {"rollouts", std::move(rollouts)}};
}

json to_json(const evidence_line& line) {
  json insights = json::array();
  for (const auto& item : line.insights)
    insights.push_back(item.id.value);
  return {{"line", line.line}, {"insights", std::move(insights)}};
}

json grade_json(const grade_report& grade) {
  json checks = json::array();
  for (const auto& part : grade.parts)
    checks.push_back({{"name", part.name}, {"met", part.met}});
  return {{"reward", grade.reward}, {"checks", std::move(checks)}};
}

json to_json(const manifest_document& doc) {
  json evidence = json::array();
  std::map<insight_id, const evidence_insight*> distinct;
  for (const auto& line : doc.evidence) {
    evidence.push_back(to_json(line));
    for (const auto& item : line.insights)
      distinct.emplace(item.id, &item);
  }
  json insights = json::array();
  for (const auto& [id, item] : distinct)
    insights.push_back(to_json(*item));
  return {{"concept", doc.concept_ref.value},
          {"title", doc.title},
          {"file", doc.file},
          {"hash", doc.hash.value},
          {"parent", doc.parent.value},
          {"iteration", doc.iteration},
          {"reward", doc.reward},
          {"correctness", doc.correctness},
          {"retrieval", doc.retrieval},
          {"evaluated", doc.evaluated},
          {"train_tasks", doc.train_tasks},
          {"eval_tasks", doc.eval_tasks},
          {"insights", std::move(insights)},
          {"evidence", std::move(evidence)}};
}

/// Error ec::malformed: file, line and column, and what was expected.
result<json> parse_json(std::string_view text, std::string_view file) {
  try {
    return json::parse(text);
  } catch (const json::exception& caught) {
    std::string_view why = caught.what();
    if (const auto at = why.find("parse error"); at != std::string_view::npos)
      why.remove_prefix(at);
    return error{ec::malformed, fmt::format("{}: {}", file, single_line(why))};
  }
}

evidence_insight read_insight(json_reader in) {
  evidence_insight out;
  in.get("id", out.id.value);
  in.get("sentence", out.sentence);
  in.get("count", out.count);
  in.each("rollouts", [&out](json_reader item) {
    auto& rollout = out.rollouts.emplace_back();
    item.get("job", rollout.job.value);
    item.get("task", rollout.task.value);
  });
  return out;
}

/// Format 2: each insight once, and lines that name their ids.
void read_evidence(json_reader in, manifest_document& out) {
  std::map<insight_id, evidence_insight> known;
  in.each("insights", [&known](json_reader item) {
    auto read = read_insight(item);
    auto id = read.id;
    known.emplace(std::move(id), std::move(read));
  });
  in.each("evidence", [&](json_reader item) {
    auto& line = out.evidence.emplace_back();
    item.get("line", line.line);
    const auto* ids = item.list("insights");
    for (std::size_t i = 0; ids && i < ids->size(); ++i) {
      const auto& id = (*ids)[i];
      const auto found = id.is_string()
                             ? known.find(insight_id{id.get<std::string>()})
                             : known.end();
      if (found == known.end())
        item.refuse("insights[" + std::to_string(i) + "]",
                    "must be the id of an insight of this document");
      else
        line.insights.push_back(found->second);
    }
  });
}

/// Format 1: the insights stand in the lines.
void read_evidence_1(json_reader in, manifest_document& out) {
  in.each("evidence", [&out](json_reader item) {
    auto& line = out.evidence.emplace_back();
    item.get("line", line.line);
    item.each("insights", [&line](json_reader one) {
      line.insights.push_back(read_insight(one));
    });
  });
}

manifest_document read_document(json_reader in, std::uint32_t format) {
  manifest_document out;
  in.get("concept", out.concept_ref.value);
  in.get("title", out.title);
  in.get("file", out.file);
  in.get("hash", out.hash.value);
  in.get("parent", out.parent.value);
  in.get("iteration", out.iteration);
  in.get("reward", out.reward);
  in.get("correctness", out.correctness);
  in.get("retrieval", out.retrieval);
  in.get("evaluated", out.evaluated);
  in.get("train_tasks", out.train_tasks);
  in.get("eval_tasks", out.eval_tasks);
  format == 1 ? read_evidence_1(in, out) : read_evidence(in, out);
  return out;
}

} // namespace

std::size_t manifest_document::evidence_count() const {
  std::set<std::string_view> distinct;
  for (const auto& line : evidence)
    for (const auto& item : line.insights)
      distinct.insert(item.id.value);
  return distinct.size();
}

const manifest_document* manifest::find(concept_id concept_ref) const {
  for (const auto& doc : documents)
    if (doc.concept_ref == concept_ref) return &doc;
  return nullptr;
}

std::string to_json_text(const manifest& about) {
  json documents = json::array();
  for (const auto& doc : about.documents)
    documents.push_back(to_json(doc));
  json out{{"format", about.format},
           {"run", about.run_id},
           {"strategy", about.strategy},
           {"seed", about.seed}};
  if (about.gather_quorum < 1) {
    out["gather_quorum"] = about.gather_quorum;
    out["late_reports"] = about.late_reports;
  }
  out["documents"] = std::move(documents);
  out["grades"] = json::array();
  for (const auto& [job, grade] : about.grades) {
    auto item = grade_json(grade);
    item["job"] = job.value;
    out["grades"].push_back(std::move(item));
  }
  return out.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

result<manifest> parse_manifest(std::string_view text, std::string_view file) {
  const auto parsed = parse_json(text, file);
  if (!parsed) return parsed.error();
  std::optional<error> problem;
  json_reader in{*parsed, "", problem};
  manifest out;
  in.get("format", out.format);
  if (!problem && out.format > manifest_format)
    return error{ec::version_mismatch,
                 fmt::format("{}: format {} is newer than {}, the newest this "
                             "version reads; use a newer brewery",
                             file, out.format, manifest_format)};
  in.get("run", out.run_id);
  in.get("strategy", out.strategy);
  in.get("seed", out.seed);
  if (in.find("gather_quorum")) {
    in.get("gather_quorum", out.gather_quorum);
    in.get("late_reports", out.late_reports);
  }
  in.each("documents", [&out](json_reader item) {
    out.documents.push_back(read_document(item, out.format));
  });
  if (out.format > 1)
    in.each("grades", [&out](json_reader item) {
      job_id job;
      grade_report grade;
      item.get("job", job.value);
      item.get("reward", grade.reward);
      item.each("checks", [&grade](json_reader one) {
        auto& part = grade.parts.emplace_back();
        one.get("name", part.name);
        part.met = one.flag("met");
      });
      out.grades.emplace(std::move(job), std::move(grade));
    });
  if (problem)
    return error{problem->code, fmt::format("{}: {}", file, problem->message)};
  return out;
}

} // namespace brewery
