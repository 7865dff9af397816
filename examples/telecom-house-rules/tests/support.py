"""Finds the modules of the example, and makes arguments for any tool."""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parents[1]
PACKAGE = HERE.parents[1] / "envs" / "python"
sys.path[:0] = [str(HERE), str(PACKAGE)]


def arguments_for(tool, world):
    """Plausible arguments: those of the account, for a changing tool."""
    bills = sorted(world.bills, key=lambda bill: bill.status != "Overdue")
    every = {"suspend_line": {"reason": "asked for"},
             "refuel_data": {"gb_amount": min(world.top_up_gb, 3.0)},
             "transfer_to_human_agents": {"summary": "see the ticket"},
             "set_network_mode_preference": {"mode": "4g_5g_preferred"},
             "grant_app_permission": {"app_name": "messaging",
                                      "permission": "sms"}}
    out = dict(every.get(tool, {}))
    if tool in ("suspend_line", "resume_line", "enable_roaming",
                "disable_roaming", "refuel_data"):
        out.update(customer_id=world.account.customer_id,
                   line_id=world.account.line_id)
    if tool == "send_payment_request":
        out.update(customer_id=world.account.customer_id,
                   bill_id=bills[0].bill_id)
    return out
