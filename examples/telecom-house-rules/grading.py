"""Grades how a case ended: the state of account and phone, and what was done in
which order. Calls are never compared with anybody's plan."""

from typing import Callable, List, NamedTuple, Tuple

from house_rules import (LINE_BEFORE_PHONE, line_stays_suspended, no_roaming,
                         no_top_up, wanted_mode, wanted_top_up_gb,
                         wants_hand_over, wants_payment, wants_vpn,
                         wants_wifi_calling)
from world import World

HAND_OVER = "transfer_to_human_agents"


class Area(NamedTuple):
    """One check. It is made where it matters to the complaint and the place."""

    name: str
    right: Callable[[World, World], bool]  # as it began, as it is
    matters: Callable[[World], bool] = lambda began: True


def _sim(began: World, now: World) -> bool:
    return now.phone.sim == "active" and now.phone.card_reads == 5


def _vpn(began: World, now: World) -> bool:
    if wants_vpn(began):
        return now.phone.vpn == "good"
    return now.phone.vpn != "poor"


def _wifi_calling(began: World, now: World) -> bool:
    return now.phone.wifi_calling == wants_wifi_calling(began)


def _permissions(began: World, now: World) -> bool:
    return {"sms", "storage"} <= now.phone.permissions


def _bills(began: World, now: World) -> bool:
    pay = began.overdue() if wants_payment(began) else None
    wanted = {bill.bill_id: "Paid" if bill is pay else bill.status
              for bill in began.bills}
    return wanted == {bill.bill_id: bill.status for bill in now.bills}


def _top_up(began: World, now: World) -> bool:
    return abs(sum(now.refuels()) - wanted_top_up_gb(began)) < 1e-6


def _hand_over(began: World, now: World) -> bool:
    """Once where one is due, and what others decide is left to them."""
    tools = [done.tool for done in now.done if not done.refused]
    if not wants_hand_over(began):
        return HAND_OVER not in tools
    left = (not line_stays_suspended(began) or now.line.status == "Suspended")
    left = left and not (no_roaming(began) and now.line.roaming)
    return left and tools.count(HAND_OVER) == 1


def _abroad(began: World) -> bool:
    return began.abroad and _network(began)


def _network(began: World) -> bool:
    return began.complaint != "no_service"


def _both_off(began: World) -> bool:
    return (began.place == LINE_BEFORE_PHONE and not began.phone.roaming
            and not began.line.roaming)


def _roaming_order(began: World, now: World) -> bool:
    tools = [done.tool for done in now.done if not done.refused]
    return ("enable_roaming" in tools and "toggle_roaming" in tools
            and tools.index("enable_roaming") < tools.index("toggle_roaming"))


def _complains_of(complaint: str) -> Callable[[World], bool]:
    return lambda began: began.complaint == complaint


AREAS: List[Area] = [
    Area("radio: works", lambda began, now: not now.phone.airplane
         and not now.phone.parked),
    Area("SIM card: works", _sim,
         lambda began: began.phone.sim != "locked_puk"),
    Area("line: active", lambda began, now: now.line.status == "Active",
         lambda began: not line_stays_suspended(began)),
    Area("bills: the right one was paid, no other asked for", _bills),
    Area("top-up: the right amount", _top_up),
    Area("data: not used up", lambda began, now: not now.used_up,
         lambda began: _network(began) and not no_top_up(began)),
    Area("hand-over: only where one is due", _hand_over),
    Area("access point: works",
         lambda began, now: now.phone.apn == "internet", _network),
    Area("mobile data: on", lambda began, now: now.phone.data, _network),
    Area("network mode: right for place and phone",
         lambda began, now: now.phone.mode == wanted_mode(began)
         and now.phone.mode_in_force, _network),
    Area("roaming of the phone: on",
         lambda began, now: now.phone.roaming, _abroad),
    Area("roaming of the line: on", lambda began, now: now.line.roaming,
         lambda began: _abroad(began) and not no_roaming(began)),
    Area("roaming: switched in the right order", _roaming_order,
         lambda began: _abroad(began) and _both_off(began)),
    Area("Data Saver: off", lambda began, now: not now.phone.saver,
         _complains_of("mobile_data")),
    Area("VPN: right for the place", _vpn, _complains_of("mobile_data")),
    Area("Wi-Fi Calling: right for the place", _wifi_calling,
         _complains_of("picture_mms")),
    Area("permissions: messaging has what it needs", _permissions,
         _complains_of("picture_mms")),
]


def grade(began: World, now: World) -> Tuple[float, List[Tuple[str, bool]]]:
    """The reward, 0 or 1, and the checks."""
    parts = [(area.name, area.right(began, now)) for area in AREAS
             if area.matters(began)]
    return float(all(met for _, met in parts)), parts
