"""The operator's tools. Each takes the case's world and the call's arguments
and answers with text; `Refused` is the tool's no."""

import json
from typing import Any, Callable, Dict, List, Mapping

from accounts import LAKE, PEBBLE, PLANS
from world import Bill, World


class Refused(Exception):
    """The call was not carried out; the agent reads why."""


Arguments = Mapping[str, Any]


def _text(record: Any) -> str:
    return json.dumps(record)


def customer_record(w: World) -> Dict[str, Any]:
    a = w.account
    return {"customer_id": a.customer_id, "full_name": a.full_name,
            "phone_number": a.phone_number, "account_status": "Active",
            "line_ids": [a.line_id],
            "bill_ids": [bill.bill_id for bill in w.bills]}


def line_record(w: World) -> Dict[str, Any]:
    a = w.account
    return {"line_id": a.line_id, "phone_number": a.phone_number,
            "status": w.line.status, "plan_id": a.plan_id,
            "device_id": a.device_id, "data_used_gb": w.line.used_gb,
            "data_refueling_gb": w.line.refuelled_gb,
            "roaming_enabled": w.line.roaming,
            "contract_end_date": w.line.contract_end}


def bill_record(w: World, bill: Bill) -> Dict[str, Any]:
    return {"bill_id": bill.bill_id, "customer_id": w.account.customer_id,
            "issue_date": bill.issued, "total_due": bill.total_due,
            "status": bill.status}


def _records(w: World) -> Dict[str, Dict[str, Any]]:
    a = w.account
    plan = PLANS[a.plan_id]
    return {a.customer_id: customer_record(w), a.line_id: line_record(w),
            a.device_id: {"device_id": a.device_id, "device_type": "phone",
                          "model": a.model},
            a.plan_id: {"plan_id": plan.plan_id, "name": plan.name,
                        "data_limit_gb": plan.data_limit_gb,
                        "price_per_month": plan.price_per_month,
                        "data_refueling_price_per_gb": plan.price_per_gb},
            **{bill.bill_id: bill_record(w, bill) for bill in w.bills}}


def _check_customer(w: World, args: Arguments) -> None:
    if args.get("customer_id") != w.account.customer_id:
        raise Refused(f"Customer {args.get('customer_id')} not found")


def _check_line(w: World, args: Arguments) -> None:
    _check_customer(w, args)
    if args.get("line_id") != w.account.line_id:
        raise Refused(f"Line {args.get('line_id')} not found")


# -- reading ------------------------------------------------------------------

def get_customer_by_phone(w: World, args: Arguments) -> str:
    if args.get("phone_number") != w.account.phone_number:
        raise Refused("No customer has this number")
    return _text(customer_record(w))


def get_details_by_id(w: World, args: Arguments) -> str:
    record = _records(w).get(args.get("id"))
    if record is None:
        raise Refused(f"Nothing has the identifier {args.get('id')}")
    return _text(record)


def get_bills_for_customer(w: World, args: Arguments) -> str:
    _check_customer(w, args)
    newest_first = sorted(w.bills, key=lambda bill: bill.issued, reverse=True)
    return _text([bill_record(w, bill) for bill in newest_first])


def get_data_usage(w: World, args: Arguments) -> str:
    _check_line(w, args)
    return _text({"line_id": w.account.line_id, "data_used_gb": w.line.used_gb,
                  "data_limit_gb": w.plan.data_limit_gb,
                  "data_refueling_gb": w.line.refuelled_gb})


# -- changing -----------------------------------------------------------------

def suspend_line(w: World, args: Arguments) -> str:
    _check_line(w, args)
    if w.line.status != "Active":
        raise Refused("Line must be active to suspend")
    w.line.status = "Suspended"
    return _text({"message": "Line suspended successfully.",
                  "line": line_record(w)})


def resume_line(w: World, args: Arguments) -> str:
    _check_line(w, args)
    if w.line.status != "Suspended":
        raise Refused("Line must be suspended to resume")
    old = w.bill(w.account.bill_id(0))
    if old is not None and w.account.plan_id == LAKE and old.status == "Paid":
        raise Refused("E-19: not permitted any more")
    payable = ("Paid", "Awaiting Payment") if w.account.plan_id == LAKE else (
        "Paid",)
    if old is not None and old.status not in payable:
        raise Refused("E-20: the account does not allow it yet")
    w.line.status = "Active"
    return _text({"message": "Line resumed successfully",
                  "line": line_record(w)})


def send_payment_request(w: World, args: Arguments) -> str:
    _check_customer(w, args)
    if w.asked_bill is not None:
        raise Refused("A bill is already awaiting payment for this customer")
    bill = w.bill(args.get("bill_id", ""))
    if bill is None:
        raise Refused(f"Bill {args.get('bill_id')} not found for customer")
    bill.status = "Awaiting Payment"
    w.asked_bill = bill.bill_id
    return f"Payment request sent to the customer for bill {bill.bill_id}"


def enable_roaming(w: World, args: Arguments) -> str:
    _check_line(w, args)
    if w.line.roaming:
        return "Roaming was already enabled"
    if w.account.plan_id == LAKE and w.phone.roaming:
        raise Refused("E-17: not permitted now")
    if w.account.plan_id == PEBBLE and w.line.refuelled_gb < 1:
        raise Refused("E-18: no travel volume")
    w.line.roaming = True
    return "Roaming enabled successfully"


def disable_roaming(w: World, args: Arguments) -> str:
    _check_line(w, args)
    if not w.line.roaming:
        return "Roaming was already disabled"
    w.line.roaming = False
    return "Roaming disabled successfully"


def refuel_data(w: World, args: Arguments) -> str:
    _check_line(w, args)
    amount = args.get("gb_amount")
    if isinstance(amount, bool) or not isinstance(amount, (int, float)):
        raise Refused("gb_amount must be a number")
    if not 0 < amount <= 100:
        raise Refused("Refuel amount must be positive, and 100 at most")
    if amount > 3:
        raise Refused("E-23: not in one piece")
    w.line.refuelled_gb = round(w.line.refuelled_gb + amount, 3)
    cost = amount * w.plan.price_per_gb
    return _text({"message": f"Successfully added {amount} GB of data for line "
                             f"{w.account.line_id} for ${cost:.2f}",
                  "new_data_refueling_gb": w.line.refuelled_gb,
                  "charge": round(cost, 2)})


def transfer_to_human_agents(w: World, args: Arguments) -> str:
    return "Transfer successful"


READING: List[Callable[[World, Arguments], str]] = [
    get_customer_by_phone, get_details_by_id, get_bills_for_customer,
    get_data_usage]
CHANGING: List[Callable[[World, Arguments], str]] = [
    suspend_line, resume_line, send_payment_request, enable_roaming,
    disable_roaming, refuel_data, transfer_to_human_agents]
