#pragma once
/// The shop's 16 tools. Their behaviour is the reference's, including its bugs;
/// the descriptions for agents are our own.
///
/// A failure leaves earlier changes in place, as in the reference.

#include "envs/tau2/retail/retail_store.hpp"

namespace brewery::tau2 {

/// All tools in alphabetical order.
const retail_functions& retail_tools();

// -- on pending orders and addresses (retail_changes.cpp) ---------------------

/// (order_id, reason): pays back all rows of the payment history.
retail_outcome cancel_pending_order(record_db& db, const call_arguments& args);
/// (order_id, payment_method_id): for an order with one payment.
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
/// The same arguments. Every changed item gets price and options of the last
/// new one, as in the reference.
retail_outcome modify_pending_order_items(record_db& db,
                                          const call_arguments& args);
/// (order_id, item_ids, payment_method_id)
retail_outcome return_delivered_order_items(record_db& db,
                                            const call_arguments& args);

} // namespace brewery::tau2
