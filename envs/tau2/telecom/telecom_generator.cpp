#include "envs/tau2/telecom/telecom_generator.hpp"

#include "base/rng.hpp"
#include "base/text.hpp"
#include "envs/tau2/telecom/fault_catalogue.hpp"
#include "envs/tau2/telecom/telecom_case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

namespace brewery::tau2 {

namespace {

/// The fault counts of tasks after those with a single fault, in rotation.
constexpr std::array<std::size_t, 7> several{2, 3, 2, 4, 5, 3, 6};

/// How often a draw may repeat an earlier case before the generator gives up.
constexpr std::uint64_t attempts_max = 500;

constexpr bool breaks_everything(const telecom_fault& fault) {
  return fault.complaints == (no_service | mobile_data | picture_mms);
}

/// Chooses faults that can occur together: at most one per group, one transfer,
/// and two that cut the phone off completely, because they hide others. Fewer
/// than `wanted` if there are no more.
std::vector<const telecom_fault*> choose_faults(rng& draw,
                                                std::uint8_t complaint,
                                                bool abroad,
                                                std::size_t wanted) {
  const bool may_hand_over = draw.below(4) == 0;
  std::vector<const telecom_fault*> pool;
  for (const auto& fault : fault_catalogue())
    if ((fault.complaints & complaint) != 0 && (abroad || !fault.abroad_only)
        && (may_hand_over || !fault.hand_over))
      pool.push_back(&fault);
  draw.shuffle(pool);
  // Half of the cases abroad have faults of being abroad.
  if (draw.below(2) == 0)
    std::stable_partition(pool.begin(), pool.end(),
                          [](const auto* fault) { return fault->abroad_only; });
  std::vector<const telecom_fault*> chosen;
  std::set<std::string_view> groups;
  std::size_t cutting_off = 0;
  bool hands_over = false;
  for (const telecom_fault* fault : pool) {
    if (chosen.size() == wanted) break;
    if (fault->hand_over && hands_over) continue;
    if (complaint != no_service && breaks_everything(*fault)
        && cutting_off == 2)
      continue;
    if (!groups.insert(fault->group).second) continue;
    cutting_off += breaks_everything(*fault);
    hands_over = hands_over || fault->hand_over;
    chosen.push_back(fault);
  }
  // Catalogue order: all are in one array.
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

telecom_case draw_single(rng& draw, const telecom_fault& fault) {
  std::vector<std::uint8_t> explained;
  for (const std::uint8_t complaint : {no_service, mobile_data, picture_mms})
    if ((fault.complaints & complaint) != 0) explained.push_back(complaint);
  telecom_case out;
  out.complaint = explained[draw.below(explained.size())];
  out.abroad = fault.abroad_only || draw.below(4) == 0;
  out.faults = {&fault};
  return out;
}

telecom_case draw_several(rng& draw, std::size_t wanted) {
  telecom_case out;
  // Without service there are only four groups of causes. More faults need a
  // phone that connects.
  const std::uint64_t kind = wanted > 4 ? 1 + draw.below(4) : draw.below(5);
  out.complaint = kind == 0 ? no_service : kind < 3 ? mobile_data : picture_mms;
  out.abroad = draw.below(2) == 0;
  out.faults = choose_faults(draw, out.complaint, out.abroad, wanted);
  return out;
}

struct split_plan {
  const char* name;
  std::size_t size;
};

class dealer {
public:
  dealer(const generator_options& options,
         const std::vector<telecom_line>& lines)
      : options_(options), lines_(lines) {}

  /// A third of a split has one fault each, in turn over the catalogue, so that
  /// exploration finds first successes. The other tasks have several faults.
  result<void> deal(const split_plan& split) {
    std::vector<const telecom_fault*> turn;
    for (const auto& fault : fault_catalogue())
      turn.push_back(&fault);
    rng{rng_key(options_.seed, "turn", split.name)}.shuffle(turn);
    const std::size_t singles =
        options_.faults_max == 1 ? split.size : (split.size + 2) / 3;
    std::vector<telecom_case> cases;
    for (std::size_t slot = 0; slot < split.size; ++slot) {
      const std::size_t wanted =
          slot < singles ? 1
                         : std::min(several[(slot - singles) % several.size()],
                                    options_.faults_max);
      auto drawn =
          draw_new(split.name, slot, wanted, *turn[slot % turn.size()]);
      if (!drawn) return drawn.error();
      cases.push_back(std::move(*drawn));
    }
    rng{rng_key(options_.seed, "order", split.name)}.shuffle(cases);
    for (const auto& item : cases)
      tasks_.push_back(make_task(item, split.name));
    return {};
  }

  std::vector<generated_task> take() && { return std::move(tasks_); }

private:
  /// Draws until the case differs from all earlier ones.
  result<telecom_case> draw_new(const char* split, std::size_t slot,
                                std::size_t wanted,
                                const telecom_fault& single) {
    for (std::uint64_t attempt = 0; attempt < attempts_max; ++attempt) {
      rng draw{rng_key(options_.seed, "case", split, slot, attempt)};
      auto drawn =
          wanted == 1 ? draw_single(draw, single) : draw_several(draw, wanted);
      if (drawn.faults.size() != wanted) continue;
      drawn.line = lines_[draw.below(lines_.size())];
      drawn.facts_seed = draw.next();
      if (used_.insert(identity_of(drawn)).second) return drawn;
    }
    return error{ec::invalid_argument,
                 fmt::format("telecom generator: no new case with {} for {} "
                             "task {} on {}; ask for fewer tasks or add "
                             "customers to db.toml",
                             counted(wanted, "fault"), split, slot,
                             counted(lines_.size(), "line"))};
  }

  /// Customer and faults, which must be unique together.
  static std::string identity_of(const telecom_case& item) {
    std::string out = item.line.customer_id;
    for (const telecom_fault* fault : item.faults)
      out += fmt::format("+{}", fault->id);
    return out;
  }

  const generator_options& options_;
  const std::vector<telecom_line>& lines_;
  std::set<std::string> used_;
  std::vector<generated_task> tasks_;
};

} // namespace

result<std::vector<generated_task>>
make_tasks(const generator_options& options,
           const std::vector<telecom_line>& lines) {
  if (options.faults_max < 1 || options.faults_max > 6)
    return error{ec::invalid_argument,
                 fmt::format("telecom generator: faults_max is {}; it must be "
                             "1 to 6",
                             options.faults_max)};
  if (lines.empty())
    return error{ec::invalid_argument,
                 "telecom generator: no usable line: db.toml needs an active "
                 "line on a phone whose customer has a draft bill"};
  dealer deal{options, lines};
  for (const split_plan& split :
       {split_plan{"train", options.train}, split_plan{"eval", options.eval},
        split_plan{"test", options.test}})
    if (const auto dealt = deal.deal(split); !dealt) return dealt.error();
  return std::move(deal).take();
}

} // namespace brewery::tau2
