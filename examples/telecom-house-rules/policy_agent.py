"""An agent that keeps the written policy (policy.md) to the letter and knows
no house rule. It sees what any agent sees: the ticket and the tools' answers.
"""

import json
import re
from typing import Any, Callable, Dict, List, Tuple

from account_tools import Refused

Call = Callable[[str, Dict[str, Any]], str]

TODAY = "2025-02-25"
WORKS = {"no_service": ("check_network_status",
                        "Cellular Connection: connected"),
         "mobile_data": ("run_speed_test", "Excellent"),
         "picture_mms": ("can_send_mms", "can send")}


def _between(text: str, start: str, end: str) -> str:
    found = re.search(re.escape(start) + "(.*?)" + re.escape(end), text)
    return found.group(1) if found else ""


class PolicyAgent:
    def __init__(self, ticket: str, call: Call) -> None:
        self._call = call
        self._phone_number = _between(ticket, "phone number: ", ",")
        self._abroad = "location: abroad" in ticket
        self._top_up_gb = float(_between(ticket, "top up ", " GB"))
        self._complaint = ("no_service" if "no signal" in ticket else
                           "mobile_data" if "internet" in ticket
                           else "picture_mms")
        self._hand_over = False
        self.made: List[Tuple[str, Dict[str, Any]]] = []

    def run(self) -> None:
        self._line_and_bills()
        self._service()
        if self._complaint != "no_service":
            self._data()
        if self._complaint == "mobile_data":
            self._only_data()
        if self._complaint == "picture_mms":
            self._only_messages()
        if self._hand_over or not self._solved():
            self._make("transfer_to_human_agents",
                       summary="Not solved by the steps of the policy.")

    # -- steps of the policy ---------------------------------------------------

    def _line_and_bills(self) -> None:
        customer = self._record("get_customer_by_phone",
                                phone_number=self._phone_number)
        self._ids = {"customer_id": customer["customer_id"],
                     "line_id": customer["line_ids"][0]}
        line = self._record("get_details_by_id", id=self._ids["line_id"])
        if line["status"] != "Suspended":
            return
        bills = json.loads(self._make("get_bills_for_customer",
                                      customer_id=customer["customer_id"]))
        overdue = [b["bill_id"] for b in bills if b["status"] == "Overdue"]
        if line["contract_end_date"] < TODAY or not overdue:
            self._hand_over = True
            return
        self._change("send_payment_request",
                     customer_id=customer["customer_id"], bill_id=overdue[0])
        self._change("make_payment")
        self._change("resume_line", **self._ids)

    def _service(self) -> None:
        if "Airplane Mode: ON" in self._make("check_network_status"):
            self._change("toggle_airplane_mode")
        card = self._make("check_sim_status")
        if "No SIM" in card:
            self._change("reseat_sim_card")
        if "locked" in card:
            self._hand_over = True

    def _data(self) -> None:
        if "Mobile Data Enabled: No" in self._make("check_network_status"):
            self._change("toggle_data")
        if self._abroad:
            self._roaming()
        if "4g_5g_preferred" not in self._make("check_network_mode_preference"):
            self._change("set_network_mode_preference", mode="4g_5g_preferred")
        if "APN Name: internet" not in self._make("check_apn_settings"):
            self._change("reset_apn_settings")
            self._change("reboot_device")
        usage = self._record("get_data_usage", **self._ids)
        if usage["data_used_gb"] >= (usage["data_limit_gb"]
                                     + usage["data_refueling_gb"]):
            self._change("refuel_data", gb_amount=self._top_up_gb, **self._ids)

    def _roaming(self) -> None:
        for _ in range(2):  # once more if it had no effect
            if "Data Roaming Enabled: No" in self._make("check_network_status"):
                self._change("toggle_roaming")
        line = self._record("get_details_by_id", id=self._ids["line_id"])
        if not line["roaming_enabled"]:
            self._change("enable_roaming", **self._ids)

    def _only_data(self) -> None:
        if "is ON" in self._make("check_data_restriction_status"):
            self._change("toggle_data_saver_mode")
        if "poor" in self._make("check_vpn_status"):
            self._change("disconnect_vpn")

    def _only_messages(self) -> None:
        if "turned ON" in self._make("check_wifi_calling_status"):
            self._change("toggle_wifi_calling")
        held = self._make("check_app_permissions", app_name="messaging")
        for permission in ("storage", "sms"):
            if f"use {permission}: No" in held:
                self._change("grant_app_permission", app_name="messaging",
                             permission=permission)

    # -- calls -----------------------------------------------------------------

    def _solved(self) -> bool:
        tool, words = WORKS[self._complaint]
        return words in self._make(tool)

    def _make(self, tool: str, **arguments: Any) -> str:
        self.made.append((tool, arguments))
        return self._call(tool, arguments)

    def _record(self, tool: str, **arguments: Any) -> Dict[str, Any]:
        return json.loads(self._make(tool, **arguments))

    def _change(self, tool: str, **arguments: Any) -> None:
        for _ in range(2):  # once more after a no
            try:
                self._make(tool, **arguments)
                return
            except Refused:
                continue
        self._hand_over = True
