#pragma once
/// The shop's 16 tools: what each does is the reference's, bugs included; how
/// they are described to agents is ours.
///
/// A failure leaves what was changed before it, as the reference does.

#include "envs/tau2/retail_desk.hpp"

namespace brewery::tau2 {

/// All of them, by name, in alphabetical order.
const retail_functions& retail_tools();

// -- on pending orders and addresses (retail_changes.cpp) ---------------------

/// (order_id, reason): pays back every row of the payment history.
retail_outcome cancel_pending_order(record_db& db, const call_arguments& args);
/// (order_id, payment_method_id): of an order with one payment.
retail_outcome modify_pending_order_payment(record_db& db,
                                            const call_arguments& args);
/// (order_id, address1, address2, city, state, country, zip)
retail_outcome modify_pending_order_address(record_db& db,
                                            const call_arguments& args);
/// (user_id, address1, address2, city, state, country, zip)
retail_outcome modify_user_address(record_db& db, const call_arguments& args);

// -- on items of an order (retail_items.cpp) ----------------------------------

/// (order_id, item_ids, new_item_ids, payment_method_id)
retail_outcome exchange_delivered_order_items(record_db& db,
                                              const call_arguments& args);
/// The same; every changed item gets price and options of the last new one.
retail_outcome modify_pending_order_items(record_db& db,
                                          const call_arguments& args);
/// (order_id, item_ids, payment_method_id)
retail_outcome return_delivered_order_items(record_db& db,
                                            const call_arguments& args);

} // namespace brewery::tau2
