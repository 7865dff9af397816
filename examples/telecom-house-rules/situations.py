"""What a case can begin with: for each situation where it can be, how it
begins and what cures it. A task combines one to four of them.

Those with a rule need it; the others are cured by what the written policy says.
"""

from typing import Any, Callable, Dict, FrozenSet, List, NamedTuple, Tuple

from accounts import LAKE, METER, OCEAN, PEBBLE, RIVER
from house_rules import COUNTRIES, NO_5G, wanted_mode
from world import (BEST_MODE, CONTRACT_OVER, Phone, World, add_overdue_bill)

Calls = List[Tuple[str, Dict[str, Any]]]

HOME = ("",)
ABROAD = tuple(COUNTRIES)
ANYWHERE = HOME + ABROAD
ANY_PLAN = (PEBBLE, RIVER, LAKE, OCEAN, METER)
ALL = "no_service mobile_data picture_mms"
USES = "mobile_data picture_mms"


class Situation(NamedTuple):
    name: str
    rule: str  # empty: the written policy is enough
    complaints: FrozenSet[str]
    touches: FrozenSet[str]  # situations that share one exclude each other
    begin: Callable[[World], None]
    cure: Callable[[World], Calls]
    places: Tuple[str, ...] = ANYWHERE
    plans: Tuple[str, ...] = ANY_PLAN
    phone: str = ""
    top_ups_gb: Tuple[float, ...] = (2.0,)


def _row(name: str, rule: str, complaints: str, touches: str,
         begin: Callable[[World], None], cure: Callable[[World], Calls],
         **where: Any) -> Situation:
    return Situation(name, rule, frozenset(complaints.split()),
                     frozenset(touches.split()), begin, cure, **where)


def _phone(**values: Any) -> Callable[[World], None]:
    def begin(w: World) -> None:
        for name, value in values.items():
            assert hasattr(Phone(), name)
            setattr(w.phone, name, value)
    return begin


def _line(**values: Any) -> Callable[[World], None]:
    def begin(w: World) -> None:
        for name, value in values.items():
            setattr(w.line, name, value)
    return begin


def _both(*parts: Callable[[World], None]) -> Callable[[World], None]:
    def begin(w: World) -> None:
        for part in parts:
            part(w)
    return begin


def _used(share: float) -> Callable[[World], None]:
    def begin(w: World) -> None:
        w.line.used_gb = round(share * w.plan.data_limit_gb, 1)
    return begin


def _used_up(w: World) -> None:
    w.line.used_gb = w.plan.data_limit_gb + 0.4


def _counter_behind(w: World) -> None:
    w.really_used_gb = w.line.used_gb
    _used_up(w)


def _without(*permissions: str) -> Callable[[World], None]:
    def begin(w: World) -> None:
        w.phone.permissions -= set(permissions)
    return begin


def _bill(amount: float = 0.0) -> Callable[[World], None]:
    return lambda w: add_overdue_bill(w, amount or w.plan.price_per_month)


def _ids(w: World) -> Dict[str, Any]:
    return {"customer_id": w.account.customer_id, "line_id": w.account.line_id}


def _calls(*tools: str) -> Callable[[World], Calls]:
    """Calls without arguments, but for those of the account."""
    def cure(w: World) -> Calls:
        account = ("enable_roaming", "resume_line")
        return [(tool, _ids(w) if tool in account else {}) for tool in tools]
    return cure


def _grants(*permissions: str) -> Callable[[World], Calls]:
    return lambda w: [("grant_app_permission",
                       {"app_name": "messaging", "permission": permission})
                      for permission in permissions]


def _set_mode(w: World) -> Calls:
    return [("set_network_mode_preference", {"mode": wanted_mode(w)})]


def _refuel(w: World) -> Calls:
    """In as few parts of equal size as the desk books."""
    parts = 1 if w.top_up_gb <= 3 else 2
    return [("refuel_data", {**_ids(w), "gb_amount": w.top_up_gb / parts})
            ] * parts


def _ask_for_bill(w: World) -> Calls:
    return [("send_payment_request",
             {"customer_id": w.account.customer_id,
              "bill_id": w.account.bill_id(0)})]


def _hand_over(w: World) -> Calls:
    return [("transfer_to_human_agents",
             {"summary": "The desk's tools cannot solve the rest."})]


def _then(*cures: Callable[[World], Calls]) -> Callable[[World], Calls]:
    return lambda w: [call for cure in cures for call in cure(w)]


_TOGGLE_TWICE = _calls("toggle_airplane_mode", "toggle_airplane_mode")
_NEW_APN = _calls("reset_apn_settings", "reboot_device")
_FREE_APN = _then(_calls("toggle_wifi_calling"), _NEW_APN)

SITUATIONS: List[Situation] = [
    # What the written policy covers.
    _row("airplane_mode", "", ALL, "radio", _phone(airplane=True),
         _calls("toggle_airplane_mode")),
    _row("sim_missing", "", ALL, "sim", _phone(sim="missing"),
         _calls("reseat_sim_card")),
    _row("sim_puk", "", "no_service", "sim hand_over",
         _phone(sim="locked_puk"), _hand_over),
    _row("apn_broken", "", USES, "apn", _phone(apn="broken"), _NEW_APN),
    _row("data_off", "", USES, "data", _phone(data=False),
         _calls("toggle_data")),
    _row("phone_roaming_off", "", USES, "roaming", _phone(roaming=False),
         _calls("toggle_roaming"), places=ABROAD),
    _row("line_roaming_off", "", USES, "roaming", _line(roaming=False),
         _calls("enable_roaming"), places=ABROAD, plans=(RIVER, OCEAN)),
    _row("mode_2g", "", USES, "mode", _phone(mode="2g_only"), _set_mode),
    _row("mode_3g", "", "mobile_data", "mode", _phone(mode="3g_only"),
         _set_mode),
    _row("data_saver", "", "mobile_data", "saver", _phone(saver=True),
         _calls("toggle_data_saver_mode")),
    _row("slow_vpn", "", "mobile_data", "vpn", _phone(vpn="poor"),
         _calls("disconnect_vpn")),
    _row("wifi_calling", "", "picture_mms", "wifi_calling",
         _phone(wifi_calling=True), _calls("toggle_wifi_calling")),
    _row("no_sms", "", "picture_mms", "permissions", _without("sms"),
         _grants("sms")),
    _row("no_storage", "", "picture_mms", "permissions", _without("storage"),
         _grants("storage")),
    _row("overdue_bill", "", ALL, "line", _bill(),
         _then(_ask_for_bill, _calls("make_payment", "resume_line")),
         plans=(PEBBLE, RIVER, METER)),
    _row("contract_over", "", "no_service", "line hand_over",
         _line(status="Suspended", contract_end=CONTRACT_OVER), _hand_over),
    _row("data_used_up", "", USES, "usage", _used_up, _refuel,
         plans=(PEBBLE, RIVER, LAKE)),
    # What only the house rules cover.
    _row("greek_roaming", "roaming_without_data", USES, "roaming data",
         _phone(roaming=False),
         _calls("toggle_data", "toggle_roaming", "toggle_data"),
         places=("Greece",)),
    _row("portuguese_roaming", "line_before_phone", USES, "roaming",
         _both(_phone(roaming=False), _line(roaming=False)),
         _calls("enable_roaming", "toggle_roaming"), places=("Portugal",),
         plans=(RIVER, OCEAN)),
    _row("mexican_mode", "settle_by_restart", USES, "mode",
         _phone(mode="2g_only"), _then(_set_mode, _calls("reboot_device")),
         places=("Mexico",)),
    _row("no_permissions", "sms_first", "picture_mms", "permissions",
         _without("sms", "storage"), _grants("sms", "storage")),
    _row("lake_bill", "resume_before_payment", ALL, "line", _bill(),
         _then(_ask_for_bill, _calls("resume_line", "make_payment")),
         plans=(LAKE,)),
    _row("ocean_bill", "large_bill", ALL, "line hand_over", _bill(),
         _hand_over, plans=(OCEAN,)),
    _row("old_bill", "large_bill", ALL, "line hand_over", _bill(96.0),
         _hand_over, plans=(RIVER,)),
    _row("large_top_up", "parcels", USES, "usage", _used_up, _refuel,
         plans=(PEBBLE, RIVER, LAKE), top_ups_gb=(4.0,)),
    _row("pebble_nearly", "nearly_used_up", "mobile_data", "usage",
         _used(0.9), _refuel, plans=(PEBBLE,)),
    _row("meter_used_up", "no_meter_top_up", "mobile_data", "usage hand_over",
         _used_up, _hand_over, plans=(METER,)),
    _row("meter_abroad", "no_meter_roaming", USES, "roaming hand_over",
         _line(roaming=False), _hand_over, places=ABROAD, plans=(METER,)),
    _row("kenyan_mode", "partner_has_3g", USES, "mode", _phone(mode=BEST_MODE),
         _set_mode, places=("Kenya",)),
    _row("wren_mode", "no_5g_phone", USES, "mode", _phone(mode="2g_only"),
         _set_mode, phone=NO_5G),
    _row("turkish_data", "vpn_for_data", "mobile_data", "vpn", _phone(vpn=""),
         _calls("connect_vpn"), places=("Turkey",)),
    _row("norwegian_messages", "wifi_calling_for_messages", "picture_mms",
         "wifi_calling apn", _phone(wifi_calling=False),
         _calls("toggle_wifi_calling"), places=("Norway",)),
    _row("parked_radio", "parked_radio", ALL, "radio", _phone(parked=True),
         _TOGGLE_TWICE),
    _row("worn_card", "worn_card", ALL, "sim", _phone(card_reads=3),
         _calls("reseat_sim_card")),
    _row("legacy_apn", "legacy_profile", USES, "apn",
         _phone(apn="internet.legacy"), _NEW_APN),
    _row("crossed_payment", "crossed_payment", ALL, "line",
         _line(status="Suspended"), _calls("resume_line")),
    _row("ocean_counter", "ocean_counter", USES, "usage", _counter_behind,
         _calls("reboot_device"), plans=(OCEAN,)),
    _row("sim_pin", "pin_in_airplane_mode", "no_service", "sim radio",
         _phone(sim="locked_pin"),
         _calls("toggle_airplane_mode", "reboot_device",
                "toggle_airplane_mode")),
    _row("busy_apn", "busy_profile", USES, "apn wifi_calling",
         _phone(apn="broken", wifi_calling=True), _FREE_APN),
    _row("held_data", "saver_holds_data", USES, "data saver",
         _phone(data=False, saver=True),
         _calls("toggle_data_saver_mode", "toggle_data")),
    _row("locked_settings", "vpn_locks_settings", "picture_mms",
         "permissions vpn", _both(_without("storage"), _phone(vpn="good")),
         _then(_calls("disconnect_vpn"), _grants("storage"))),
    _row("lake_abroad", "lake_roaming", USES, "roaming", _line(roaming=False),
         _calls("toggle_roaming", "enable_roaming", "toggle_roaming"),
         places=ABROAD, plans=(LAKE,)),
    _row("pebble_abroad", "travel_volume", USES, "roaming usage",
         _line(roaming=False), _then(_refuel, _calls("enable_roaming")),
         places=ABROAD, plans=(PEBBLE,)),
]

BY_NAME: Dict[str, Situation] = {row.name: row for row in SITUATIONS}
