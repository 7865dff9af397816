#pragma once
/// The steps of Agent KB's memory jobs, and the names of their texts: what the
/// learner asks for, and roles/memory does.

namespace brewery {

/// The learner whose feedback is told the grade of the first attempt. That is
/// not honest on sealed tasks, so it has a name of its own in every table.
inline constexpr auto agent_kb_with_oracle = "agent_kb_oracle";
/// The role that does the memory jobs of both.
inline constexpr auto agent_kb_role = "agent_kb";

namespace agent_kb_steps {
/// A graded train attempt, and lessons as documents -> experiences.
inline constexpr auto abstract = "abstract";
/// The task, and a survey of it -> query, goal.
inline constexpr auto reason = "reason";
/// The task, a query, experiences -> guidance, cites.
inline constexpr auto refine = "refine";
/// The task, guidance, an attempt -> query, issues.
inline constexpr auto review = "review";
/// The same, issues, experiences -> guidance, cites.
inline constexpr auto advise = "advise";
/// Two experiences of one problem -> compatibility, and one experience of both.
inline constexpr auto merge = "merge";
} // namespace agent_kb_steps

namespace memory_texts {
inline constexpr auto task = "task";             ///< the instruction
inline constexpr auto query = "query";           ///< search terms: the problem
inline constexpr auto goal = "goal";             ///< search terms: the goal
inline constexpr auto issue = "issue";           ///< what went wrong, one each
inline constexpr auto guidance = "guidance";     ///< what the agent is given
inline constexpr auto experience = "experience"; ///< Markdown
inline constexpr auto quality = "quality";       ///< of the one before it
inline constexpr auto cites = "cites"; ///< number of a used experience, from 1
inline constexpr auto domain = "domain";
inline constexpr auto compatibility = "compatibility"; ///< from 0 to 1
} // namespace memory_texts

} // namespace brewery
