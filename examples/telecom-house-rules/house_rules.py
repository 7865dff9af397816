"""The unwritten rules of the desk. This table is read by the grader, the
generator and the oracle. Nothing of it is ever sent to an agent: it shows in
what tools answer and in how outcomes are graded.

`bears(world)` says of a case as it begins whether the rule decides anything in
it, so that the written policy alone would go wrong.
"""

from typing import Callable, List, NamedTuple

from accounts import LAKE, METER, OCEAN, PEBBLE
from world import BEST_MODE, CONTRACT_OVER, NEARLY_USED_UP, World

DATA_HOLDS_ROAMING = "Greece"
SLOW_TO_SETTLE = "Mexico"
LINE_BEFORE_PHONE = "Portugal"
ONLY_3G = "Kenya"
NEEDS_VPN = "Turkey"
NEEDS_WIFI_CALLING = "Norway"
COUNTRIES = [DATA_HOLDS_ROAMING, SLOW_TO_SETTLE, LINE_BEFORE_PHONE, ONLY_3G,
             NEEDS_VPN, NEEDS_WIFI_CALLING, "Japan"]
NO_5G = "Wren SE"
LARGE_BILL_USD = 60.0
LARGEST_REFUEL_GB = 3.0


class Rule(NamedTuple):
    name: str
    kind: str  # order, threshold, exception, misleading or precondition
    text: str
    bears: Callable[[World], bool]


def _uses_network(w: World) -> bool:
    return w.complaint != "no_service"


def _contract_over(w: World) -> bool:
    return w.line.contract_end == CONTRACT_OVER


def _nearly_used_up(w: World) -> bool:
    return (w.account.plan_id == PEBBLE and not w.used_up
            and w.line.used_gb > NEARLY_USED_UP * w.plan.data_limit_gb)


def _large_bill(w: World) -> bool:
    bill = w.overdue()
    return bill is not None and bill.total_due > LARGE_BILL_USD


def _lacks(w: World, *permissions: str) -> bool:
    return (w.complaint == "picture_mms"
            and not w.phone.permissions & set(permissions))


RULES: List[Rule] = [
    Rule("roaming_without_data", "order",
         "In Greece the phone's roaming switch works only while mobile data is "
         "off; switch data back on afterwards.",
         lambda w: w.place == DATA_HOLDS_ROAMING and not w.phone.roaming),
    Rule("line_before_phone", "order",
         "In Portugal the line's roaming is enabled before the phone's.",
         lambda w: w.place == LINE_BEFORE_PHONE and not w.line.roaming
         and not w.phone.roaming),
    Rule("settle_by_restart", "order",
         "In Mexico a change of the network mode is in force after a restart.",
         lambda w: w.place == SLOW_TO_SETTLE and w.phone.mode != BEST_MODE),
    Rule("sms_first", "order",
         "Messaging gets the sms permission before storage.",
         lambda w: _lacks(w, "sms", "storage")),
    Rule("resume_before_payment", "order",
         "Lake lines are resumed when the request is out, before it is paid.",
         lambda w: w.account.plan_id == LAKE and w.overdue() is not None),
    Rule("large_bill", "threshold",
         "An overdue bill above 60 USD is handed over, without a request.",
         _large_bill),
    Rule("parcels", "threshold",
         "A top-up above 3 GB is booked in parts of at most 3 GB.",
         lambda w: w.used_up and w.top_up_gb > LARGEST_REFUEL_GB
         and w.account.plan_id not in (METER, OCEAN)),
    Rule("nearly_used_up", "threshold",
         "A Pebble line that has used over 75 % of its data gets the top-up "
         "already.", _nearly_used_up),
    Rule("no_meter_top_up", "exception",
         "Meter lines get no top-up: hand over.",
         lambda w: no_top_up(w)),
    Rule("no_meter_roaming", "exception",
         "Meter lines never roam: leave roaming off and hand over.",
         lambda w: no_roaming(w)),
    Rule("partner_has_3g", "exception",
         "In Kenya the network mode is 3g_only.",
         lambda w: w.place == ONLY_3G and _uses_network(w)),
    Rule("no_5g_phone", "exception",
         "A Wren SE gets 4g_only.",
         lambda w: w.account.model == NO_5G and _uses_network(w)),
    Rule("vpn_for_data", "exception",
         "In Turkey mobile internet needs a connected VPN.",
         lambda w: w.place == NEEDS_VPN and w.complaint == "mobile_data"),
    Rule("wifi_calling_for_messages", "exception",
         "In Norway picture messages go out with Wi-Fi Calling on.",
         lambda w: w.place == NEEDS_WIFI_CALLING
         and w.complaint == "picture_mms"),
    Rule("parked_radio", "misleading",
         "A parked radio wakes when airplane mode is switched on and off, "
         "although it already reads OFF.",
         lambda w: w.phone.parked),
    Rule("worn_card", "misleading",
         "A card that reads less than 5 of 5 is reseated, although it is "
         "reported as active.",
         lambda w: w.phone.sim == "active" and w.phone.card_reads < 5),
    Rule("legacy_profile", "misleading",
         "The APN internet.legacy looks right and is reset all the same.",
         lambda w: w.phone.apn == "internet.legacy"),
    Rule("crossed_payment", "misleading",
         "Where no bill is overdue, the payment crossed the suspension: just "
         "resume the line.",
         lambda w: w.line.status == "Suspended" and w.overdue() is None
         and not _contract_over(w)),
    Rule("ocean_counter", "misleading",
         "A used-up Ocean line has a counter that is behind: restart the "
         "phone, do not top up.",
         lambda w: w.account.plan_id == OCEAN and w.used_up),
    Rule("pin_in_airplane_mode", "precondition",
         "A PIN lock opens by a restart in airplane mode.",
         lambda w: w.phone.sim == "locked_pin"),
    Rule("busy_profile", "precondition",
         "APN settings can be reset only while Wi-Fi Calling is off.",
         lambda w: w.phone.apn != "internet" and w.phone.wifi_calling),
    Rule("saver_holds_data", "precondition",
         "Mobile data can be switched on only while Data Saver is off.",
         lambda w: not w.phone.data and w.phone.saver),
    Rule("vpn_locks_settings", "precondition",
         "Permissions can be granted only while no VPN is connected.",
         lambda w: (_lacks(w, "sms") or _lacks(w, "storage"))
         and bool(w.phone.vpn)),
    Rule("lake_roaming", "precondition",
         "A Lake line's roaming is enabled while the phone's is off.",
         lambda w: w.account.plan_id == LAKE and w.abroad
         and not w.line.roaming and w.phone.roaming),
    Rule("travel_volume", "precondition",
         "A Pebble line roams only with a top-up of the agreed amount.",
         lambda w: w.account.plan_id == PEBBLE and w.abroad
         and not w.line.roaming),
]


def rules_of(world: World) -> List[str]:
    """The names of the rules that bear on a case as it begins."""
    return [rule.name for rule in RULES if rule.bears(world)]


# -- what the rules ask for, in terms of the world as it began ----------------

def wanted_mode(w: World) -> str:
    if w.place == ONLY_3G:
        return "3g_only"
    return "4g_only" if w.account.model == NO_5G else BEST_MODE


def wants_wifi_calling(w: World) -> bool:
    return w.place == NEEDS_WIFI_CALLING


def wants_vpn(w: World) -> bool:
    return w.place == NEEDS_VPN


def wants_payment(began: World) -> bool:
    return (began.overdue() is not None and not _large_bill(began)
            and not _contract_over(began))


def no_top_up(began: World) -> bool:
    return began.account.plan_id == METER and began.used_up


def no_roaming(began: World) -> bool:
    return (began.account.plan_id == METER and began.abroad
            and _uses_network(began))


def line_stays_suspended(began: World) -> bool:
    return _contract_over(began) or _large_bill(began)


def wants_hand_over(began: World) -> bool:
    return (began.phone.sim == "locked_puk" or line_stays_suspended(began)
            or no_roaming(began) or no_top_up(began))


def wanted_top_up_gb(began: World) -> float:
    plan = began.account.plan_id
    needed = (began.used_up and plan not in (METER, OCEAN)
              or _nearly_used_up(began)
              or plan == PEBBLE and began.abroad and not began.line.roaming)
    return began.top_up_gb if needed else 0.0
