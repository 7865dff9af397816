"""The desk's tools as agents see them. The descriptions say what a tool does,
not when the house uses it."""

from typing import List

from brewery_env import Parameter, Tool

from phone_tools import APPS, PERMISSIONS
from world import MODES

_CUSTOMER = Parameter("customer_id",
                      description="Identifier of the customer, such as C1001.")
_LINE = Parameter("line_id",
                  description="Identifier of one of the customer's lines.")
_APP = Parameter("app_name", description="Name of an installed app.",
                 choices=APPS)


def _operator(name: str, kind: str, description: str,
              *parameters: Parameter) -> Tool:
    return Tool(name, kind, description, parameters, "assistant")


def _phone(name: str, kind: str, description: str,
           *parameters: Parameter) -> Tool:
    return Tool(name, kind, description, parameters, "user")


def tools() -> List[Tool]:
    return [
        _operator("get_customer_by_phone", "read",
                  "Look up a customer by the number of a line.",
                  Parameter("phone_number",
                            description="Number as stored, with dashes.")),
        _operator("get_details_by_id", "read",
                  "Show one record: a line (L), device (D), bill (B), customer "
                  "(C) or plan (P), told apart by the first letter of the "
                  "identifier.",
                  Parameter("id", description="Identifier of the record.")),
        _operator("get_bills_for_customer", "read",
                  "List a customer's bills, newest first.", _CUSTOMER),
        _operator("get_data_usage", "read",
                  "Show data used, limit and refuelled data of a line this "
                  "cycle.", _CUSTOMER, _LINE),
        _operator("suspend_line", "write",
                  "Suspend an active line from today; a monthly holding fee "
                  "applies.", _CUSTOMER, _LINE,
                  Parameter("reason", description="Why it is suspended.")),
        _operator("resume_line", "write", "Make a suspended line active.",
                  _CUSTOMER, _LINE),
        _operator("send_payment_request", "write",
                  "Ask the customer to pay a bill. Only one bill may await "
                  "payment at a time; whether it is already paid is not "
                  "checked.", _CUSTOMER,
                  Parameter("bill_id", description="Identifier of the bill.")),
        _operator("enable_roaming", "write", "Allow roaming on a line.",
                  _CUSTOMER, _LINE),
        _operator("disable_roaming", "write", "Forbid roaming on a line.",
                  _CUSTOMER, _LINE),
        _operator("refuel_data", "write",
                  "Add data to a line; the plan's price per GB goes on the "
                  "next bill.", _CUSTOMER, _LINE,
                  Parameter("gb_amount", "number",
                            "Gigabytes to add, above 0.")),
        _operator("transfer_to_human_agents", "generic",
                  "Hand the case over to a person.",
                  Parameter("summary",
                            description="What the person needs to know.")),
        _phone("check_network_status", "read",
               "Show airplane mode, radio, SIM, cellular connection, mobile "
               "data and data roaming."),
        _phone("check_network_mode_preference", "read",
               "Show which kind of cellular network the phone prefers."),
        _phone("run_speed_test", "read",
               "Measure the speed of the mobile data connection."),
        _phone("check_sim_status", "read",
               "Tell whether the SIM card works, is missing or is locked."),
        _phone("check_data_restriction_status", "read",
               "Tell whether Data Saver is on."),
        _phone("check_apn_settings", "read",
               "Show the access point name and the address for picture "
               "messages."),
        _phone("check_wifi_calling_status", "read",
               "Tell whether Wi-Fi Calling is on."),
        _phone("check_vpn_status", "read",
               "Show the VPN connection, if there is one."),
        _phone("check_app_permissions", "read",
               "Show what one app is allowed to use.", _APP),
        _phone("can_send_mms", "read",
               "Try whether picture messages can be sent."),
        _phone("check_payment_request", "read",
               "Tell whether the operator asks for a payment."),
        _phone("set_network_mode_preference", "write",
               "Choose which kind of cellular network the phone prefers.",
               Parameter("mode", description="Preferred networks.",
                         choices=MODES)),
        _phone("toggle_airplane_mode", "write",
               "Switch airplane mode on or off; on cuts the connection."),
        _phone("reseat_sim_card", "write",
               "Take the SIM card out and put it back."),
        _phone("toggle_data", "write", "Switch mobile data on or off."),
        _phone("toggle_roaming", "write", "Switch data roaming on or off."),
        _phone("toggle_data_saver_mode", "write",
               "Switch Data Saver on or off; on slows data down."),
        _phone("reset_apn_settings", "write",
               "Mark the access point settings to be reset at the next "
               "restart."),
        _phone("toggle_wifi_calling", "write",
               "Switch Wi-Fi Calling on or off."),
        _phone("connect_vpn", "write", "Connect to the VPN."),
        _phone("disconnect_vpn", "write", "Close the VPN connection."),
        _phone("grant_app_permission", "write", "Allow an app to use "
               "something.", _APP,
               Parameter("permission", description="In lower case, one of: "
                         + ", ".join(PERMISSIONS))),
        _phone("reboot_device", "write", "Restart the phone."),
        _phone("make_payment", "write",
               "Pay the bill the operator asks to be paid."),
    ]
