"""The tools of the customer's phone, as `account_tools` has the operator's."""

from typing import Callable, List

from account_tools import Arguments, Refused
from house_rules import (DATA_HOLDS_ROAMING, SLOW_TO_SETTLE, wanted_mode,
                         wants_wifi_calling)
from world import MODES, World

APPS = ["messaging"]
PERMISSIONS = ["sms", "storage", "phone", "network"]


def _on_off(yes: bool) -> str:
    return "ON" if yes else "OFF"


def _yes_no(yes: bool) -> str:
    return "Yes" if yes else "No"


# -- reading ------------------------------------------------------------------

def check_network_status(w: World, args: Arguments) -> str:
    p = w.phone
    connected = w.connected()
    radio = "off" if p.airplane else "parked" if p.parked else "ready"
    types = {"2g_only": "2G", "3g_only": "3G", "4g_only": "4G"}
    return "\n".join([
        f"Airplane Mode: {_on_off(p.airplane)}",
        f"Cellular Radio: {radio}",
        f"SIM Card Status: {p.sim}",
        f"Cellular Connection: {'connected' if connected else 'no_service'}",
        f"Cellular Signal: {'good' if connected else 'none'}",
        "Cellular Network Type: "
        + (types.get(p.mode, "5G") if connected else "none"),
        f"Mobile Data Enabled: {_yes_no(p.data)}",
        f"Data Roaming Enabled: {_yes_no(p.roaming)}"])


def check_network_mode_preference(w: World, args: Arguments) -> str:
    return (f"Network Mode Preference: {w.phone.mode}\n"
            f"In Force: {_yes_no(w.phone.mode_in_force)}")


def run_speed_test(w: World, args: Arguments) -> str:
    speed = w.speed(wanted_mode(w))
    if speed is None:
        return "Speed test failed: No Connection."
    return f"Speed Test Result: {speed[0]:.2f} Mbps ({speed[1]})."


def check_sim_status(w: World, args: Arguments) -> str:
    p = w.phone
    if p.sim == "missing":
        return "No SIM card detected in the phone."
    if p.sim == "active":
        return ("Your SIM card is active and working.\n"
                f"Card reads: {p.card_reads} of 5")
    kind = "PIN" if p.sim == "locked_pin" else "PUK"
    return f"The SIM card is locked with a {kind} code."


def check_data_restriction_status(w: World, args: Arguments) -> str:
    return ("Data Saver mode is ON (limits data usage)." if w.phone.saver
            else "Data Saver mode is OFF.")


def check_apn_settings(w: World, args: Arguments) -> str:
    p = w.phone
    url = "Not Set" if p.apn == "broken" else "http://mms.carrier.example/"
    return (f"Current APN Name: {p.apn}\n"
            f"MMSC URL (for picture messages): {url}\n"
            f"Profile: {'busy' if p.wifi_calling else 'free'}")


def check_wifi_calling_status(w: World, args: Arguments) -> str:
    return f"Wi-Fi Calling is currently turned {_on_off(w.phone.wifi_calling)}."


def check_vpn_status(w: World, args: Arguments) -> str:
    if not w.phone.vpn:
        return "VPN is turned OFF."
    return (f"VPN is ON and connected. Details: server performance is "
            f"{w.phone.vpn}")


def check_app_permissions(w: World, args: Arguments) -> str:
    name = args.get("app_name")
    if name not in APPS:
        return f"App '{name}' not found on this phone."
    held = w.phone.permissions
    return "\n".join(
        [f"{name} may use {permission}: {_yes_no(permission in held)}"
         for permission in PERMISSIONS]
        + [f"Settings: {'locked' if w.phone.vpn else 'open'}"])


def can_send_mms(w: World, args: Arguments) -> str:
    able = w.sends_mms(wants_wifi_calling(w))
    return ("Your messaging app can send MMS messages." if able
            else "Your messaging app cannot send MMS messages.")


def check_payment_request(w: World, args: Arguments) -> str:
    bill = w.bill(w.asked_bill or "")
    if bill is None:
        return "No payment request has been made."
    return (f"You have a payment request for bill {bill.bill_id} of "
            f"{bill.total_due} USD.")


# -- changing -----------------------------------------------------------------

def toggle_airplane_mode(w: World, args: Arguments) -> str:
    w.phone.airplane = not w.phone.airplane
    w.phone.parked = False
    return f"Airplane Mode is now {_on_off(w.phone.airplane)}."


def reseat_sim_card(w: World, args: Arguments) -> str:
    if w.phone.sim == "missing":
        w.phone.sim = "active"
    w.phone.card_reads = 5
    return "SIM card re-seated successfully."


def toggle_data(w: World, args: Arguments) -> str:
    if not w.phone.data and w.phone.saver:
        raise Refused("E-52: not permitted now")
    w.phone.data = not w.phone.data
    return f"Mobile Data is now {_on_off(w.phone.data)}."


def toggle_roaming(w: World, args: Arguments) -> str:
    wanted = not w.phone.roaming
    if w.place != DATA_HOLDS_ROAMING or not w.phone.data:
        w.phone.roaming = wanted
    return f"Data Roaming is now {_on_off(wanted)}."


def toggle_data_saver_mode(w: World, args: Arguments) -> str:
    w.phone.saver = not w.phone.saver
    return f"Data Saver Mode is now {_on_off(w.phone.saver)}."


def set_network_mode_preference(w: World, args: Arguments) -> str:
    mode = args.get("mode")
    if mode not in MODES:
        raise Refused(f"mode must be one of: {', '.join(MODES)}")
    if mode != w.phone.mode:
        w.phone.mode = mode
        w.phone.mode_in_force = w.place != SLOW_TO_SETTLE
    return f"Preferred Network Mode set to: {mode}"


def reset_apn_settings(w: World, args: Arguments) -> str:
    if w.phone.wifi_calling:
        raise Refused("E-31: not permitted now")
    w.phone.apn_reset = True
    return "APN settings will reset at reboot."


def toggle_wifi_calling(w: World, args: Arguments) -> str:
    w.phone.wifi_calling = not w.phone.wifi_calling
    return f"Wi-Fi Calling is now {_on_off(w.phone.wifi_calling)}."


def connect_vpn(w: World, args: Arguments) -> str:
    if w.phone.vpn:
        return "VPN already connected."
    w.phone.vpn = "good"
    return "VPN connected successfully."


def disconnect_vpn(w: World, args: Arguments) -> str:
    if not w.phone.vpn:
        return "No active VPN connection to disconnect."
    w.phone.vpn = ""
    return "VPN disconnected successfully."


def grant_app_permission(w: World, args: Arguments) -> str:
    name, permission = args.get("app_name"), args.get("permission")
    if name not in APPS or permission not in PERMISSIONS:
        raise Refused(f"there is no app {name} with a permission {permission}")
    if w.phone.vpn:
        raise Refused("E-44: settings are locked")
    if permission == "storage" and "sms" not in w.phone.permissions:
        raise Refused("E-45: not permitted yet")
    w.phone.permissions.add(permission)
    return f"Success. Permission '{permission}' granted to app '{name}'."


def reboot_device(w: World, args: Arguments) -> str:
    p = w.phone
    if p.apn_reset:
        p.apn, p.apn_reset = "internet", False
    if p.airplane and p.sim == "locked_pin":
        p.sim = "active"
    if w.really_used_gb is not None:
        w.line.used_gb = w.really_used_gb
    p.mode_in_force = True
    return "Restarting network services..."


def make_payment(w: World, args: Arguments) -> str:
    bill = w.bill(w.asked_bill or "")
    if bill is None:
        return "You do not have a payment request."
    bill.status, w.asked_bill = "Paid", None
    return f"Payment of {bill.total_due} USD has been made."


READING: List[Callable[[World, Arguments], str]] = [
    check_network_status, check_network_mode_preference, run_speed_test,
    check_sim_status, check_data_restriction_status, check_apn_settings,
    check_wifi_calling_status, check_vpn_status, check_app_permissions,
    can_send_mms, check_payment_request]
CHANGING: List[Callable[[World, Arguments], str]] = [
    set_network_mode_preference, toggle_airplane_mode, reseat_sim_card,
    toggle_data, toggle_roaming, toggle_data_saver_mode, reset_apn_settings,
    toggle_wifi_calling, connect_vpn, disconnect_vpn, grant_app_permission,
    reboot_device, make_payment]
