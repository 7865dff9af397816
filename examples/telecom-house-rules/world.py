"""The state of one case: the account, the phone, and what was done. What the
phone can do follows from it; what tools do to it is in the *_tools files."""

from dataclasses import dataclass, field
from typing import Any, Dict, List, Optional, Set, Tuple

from accounts import ACCOUNTS, PEBBLE, PLANS, Account, Plan

BEST_MODE = "4g_5g_preferred"
MODES = ["4g_5g_preferred", "4g_only", "3g_only", "2g_only"]
NEARLY_USED_UP = 0.75
CONTRACT_OVER = "2025-01-31"


@dataclass
class Phone:
    airplane: bool = False
    parked: bool = False  # the radio is asleep although airplane mode is off
    sim: str = "active"  # or missing, locked_pin, locked_puk
    card_reads: int = 5  # of 5
    data: bool = True
    roaming: bool = True
    saver: bool = False
    mode: str = BEST_MODE
    mode_in_force: bool = True
    apn: str = "internet"  # or broken, internet.legacy
    apn_reset: bool = False  # at the next restart
    wifi_calling: bool = False
    vpn: str = ""  # "", poor or good
    permissions: Set[str] = field(
        default_factory=lambda: {"sms", "storage", "phone"})


@dataclass
class Line:
    status: str = "Active"
    used_gb: float = 0.0
    refuelled_gb: float = 0.0
    roaming: bool = True
    contract_end: str = "2026-09-30"


@dataclass
class Bill:
    bill_id: str
    status: str
    total_due: float
    issued: str


@dataclass
class Done:
    """A call that changed something, or was meant to."""

    tool: str
    arguments: Dict[str, Any]
    refused: bool


@dataclass
class World:
    account: Account
    complaint: str  # no_service, mobile_data or picture_mms
    place: str = ""  # a country; at home if empty
    top_up_gb: float = 2.0  # what the customer agrees to
    phone: Phone = field(default_factory=Phone)
    line: Line = field(default_factory=Line)
    bills: List[Bill] = field(default_factory=list)
    really_used_gb: Optional[float] = None  # if the counter is behind
    asked_bill: Optional[str] = None  # a payment request is open
    done: List[Done] = field(default_factory=list)

    @property
    def plan(self) -> Plan:
        return PLANS[self.account.plan_id]

    @property
    def abroad(self) -> bool:
        return bool(self.place)

    @property
    def used_up(self) -> bool:
        return self.line.used_gb >= (self.plan.data_limit_gb
                                     + self.line.refuelled_gb)

    @property
    def throttled(self) -> bool:
        """The smallest plan with data slows down before its data is used up."""
        return (self.account.plan_id == PEBBLE
                and self.line.used_gb > NEARLY_USED_UP * (
                    self.plan.data_limit_gb + self.line.refuelled_gb))

    def bill(self, bill_id: str) -> Optional[Bill]:
        return next((b for b in self.bills if b.bill_id == bill_id), None)

    def overdue(self) -> Optional[Bill]:
        return next((b for b in self.bills if b.status == "Overdue"), None)

    def refuels(self) -> List[float]:
        return [float(d.arguments["gb_amount"]) for d in self.done
                if d.tool == "refuel_data" and not d.refused]

    # -- what the phone can do ------------------------------------------------

    def connected(self) -> bool:
        p = self.phone
        return (not p.airplane and not p.parked and p.sim == "active"
                and p.card_reads == 5 and self.line.status == "Active")

    def has_data(self) -> bool:
        roams = not self.abroad or (self.phone.roaming and self.line.roaming)
        return (self.connected() and self.phone.data and roams
                and self.phone.apn != "broken" and not self.used_up)

    def speed(self, wanted_mode: str) -> Optional[Tuple[float, str]]:
        """Mbps and a word; none without a connection."""
        p = self.phone
        if not self.has_data():
            return None
        if p.vpn == "poor" or p.mode == "2g_only" or not p.mode_in_force:
            return 2.5, "Very Poor"
        if (self.throttled or p.saver or p.apn != "internet"
                or p.mode != wanted_mode):
            return 9.0, "Poor"
        return 275.0, "Excellent"

    def sends_mms(self, wifi_calling: bool) -> bool:
        p = self.phone
        return (self.has_data() and p.apn == "internet" and p.mode != "2g_only"
                and p.wifi_calling == wifi_calling
                and {"sms", "storage"} <= p.permissions)


def fresh_world(number: int, complaint: str, place: str,
                top_up_gb: float) -> World:
    """A case in which nothing is wrong yet."""
    account = ACCOUNTS[number - 1]
    world = World(account, complaint, place, top_up_gb)
    price = world.plan.price_per_month
    world.bills = [Bill(account.bill_id(1), "Paid", price, "2025-01-06"),
                   Bill(account.bill_id(2), "Issued", price, "2025-02-06")]
    world.line.used_gb = round(world.plan.data_limit_gb * 0.45, 1)
    return world


def add_overdue_bill(world: World, amount: float) -> None:
    world.bills.append(Bill(world.account.bill_id(0), "Overdue", amount,
                            "2024-12-06"))
    world.line.status = "Suspended"

