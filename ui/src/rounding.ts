// Numbers as the commands print them.

/// So many digits behind the point. An exact tie goes to the even digit, as on the
/// command line; toFixed goes up there.
export function fixed(value: number, digits: number) {
  const tie = "5".padEnd(25, "0"); // nothing else that near it has these digits
  const exact = Math.abs(value).toFixed(digits + tie.length);
  const cut = exact.slice(0, -tie.length).replace(/\.$/, "");
  return exact.endsWith(tie) && /[02468]$/.test(cut)
    ? `${value < 0 ? "-" : ""}${cut}` : value.toFixed(digits);
}

export const money = (usd: number) => `$${fixed(usd, 2)}`;
