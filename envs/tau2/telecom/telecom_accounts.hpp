#pragma once
/// Look-ups and changes of the operator's records that tools, set-up functions
/// and sync share. Failures have the reference's texts.

#include "envs/tau2/telecom/telecom_state.hpp"

namespace brewery::tau2 {

/// The fixed date of the domain.
inline constexpr std::string_view today = "2025-02-25";

/// The index of a record, or "... with ID x not found". An id may be any JSON
/// value; only an equal string matches.
result<std::size_t> customer_by_id(const telecom_db& db, const json& id);
result<std::size_t> customer_by_phone(const telecom_db& db, const json& phone);
result<std::size_t> line_by_any_id(const telecom_db& db, const json& id);
result<std::size_t> line_by_id(const telecom_db& db, std::string_view id);
result<std::size_t> line_by_phone(const telecom_db& db, std::string_view phone);
result<std::size_t> plan_by_id(const telecom_db& db, std::string_view id);
result<std::size_t> device_by_id(const telecom_db& db, std::string_view id);
result<std::size_t> bill_by_id(const telecom_db& db, std::string_view id);

/// The line, if the customer owns it.
result<std::size_t> owned_line(const telecom_db& db, const json& customer_id,
                               const json& line_id);

/// First bill of the customer with this status; empty if there is none.
result<std::optional<std::size_t>> bill_with_status(const telecom_db& db,
                                                    const customer& owner,
                                                    bill_status status);

/// Adds a charge to the customer's draft bill. If there is none, makes one for
/// the next month, with an id derived from customer and bill count (the
/// reference draws it at random).
result<void> charge(telecom_db& db, const json& customer_id, double amount,
                    std::string description);

line& edit_line(telecom_db& db, std::size_t index);
bill& edit_bill(telecom_db& db, std::size_t index);
customer& edit_customer(telecom_db& db, std::size_t index);
void add_bill(telecom_db& db, std::size_t owner, bill added);

} // namespace brewery::tau2
