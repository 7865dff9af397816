"""The desk's books: plans, phones, lines and customers. All of it is made up.

Every line is one customer's; its place in the list gives its identifiers.
"""

from typing import Dict, List, NamedTuple


class Plan(NamedTuple):
    plan_id: str
    name: str
    data_limit_gb: float
    price_per_month: float
    price_per_gb: float


PEBBLE, RIVER, LAKE, OCEAN, METER = (f"P200{n}" for n in range(1, 6))

PLANS: Dict[str, Plan] = {plan.plan_id: plan for plan in (
    Plan(PEBBLE, "Pebble 4", 4.0, 18.0, 6.0),
    Plan(RIVER, "River 12", 12.0, 32.0, 4.0),
    Plan(LAKE, "Lake 30", 30.0, 49.0, 2.5),
    Plan(OCEAN, "Ocean 60", 60.0, 72.0, 1.5),
    Plan(METER, "Meter 1", 1.0, 6.0, 9.0))}


class Account(NamedTuple):
    full_name: str
    plan_id: str
    model: str
    number: int

    @property
    def customer_id(self) -> str:
        return f"C{3000 + self.number}"

    @property
    def line_id(self) -> str:
        return f"L{3000 + self.number}"

    @property
    def device_id(self) -> str:
        return f"D{3000 + self.number}"

    @property
    def phone_number(self) -> str:
        return f"303-555-{200 + self.number:04}"

    def bill_id(self, month: int) -> str:
        return f"B{30000 + 100 * month + self.number}"


_PEOPLE = [
    ("Nora Lindqvist", PEBBLE, "Kestrel 5"), ("Tomas Okafor", RIVER, "Heron"),
    ("Priya Raman", LAKE, "Osprey Pro"), ("Walter Brandt", OCEAN, "Heron Mini"),
    ("Lucia Ferreira", METER, "Kestrel 4"),
    ("Hana Kobayashi", RIVER, "Wren SE"),
    ("Amir Haddad", PEBBLE, "Heron"), ("Greta Solberg", RIVER, "Kestrel 5"),
    ("Paulo Mendes", LAKE, "Heron Mini"), ("Ines Moreau", OCEAN, "Kestrel 5"),
    ("Kofi Asante", METER, "Osprey Pro"), ("Daria Novak", LAKE, "Wren SE"),
    ("Sean Gallagher", PEBBLE, "Osprey"), ("Mei Tanaka", RIVER, "Osprey Pro"),
    ("Oskar Lehmann", LAKE, "Kestrel 4"), ("Rosa Jimenez", OCEAN, "Osprey"),
    ("Viktor Petrov", METER, "Heron"), ("Leila Amari", PEBBLE, "Wren SE"),
    ("Jonas Weber", RIVER, "Heron Mini"), ("Clara Rossi", LAKE, "Heron"),
]

ACCOUNTS: List[Account] = [Account(*person, number)
                           for number, person in enumerate(_PEOPLE, 1)]
