"""Intervals of means over tasks and seeds, computed a second time: from
base/bootstrap.hpp's words, with its stream of random numbers."""

MASK = (1 << 64) - 1
GAMMA = 0x9e3779b97f4a7c15
Z2 = 1.959963984540054 ** 2


def mixed(x):
    x ^= x >> 30
    x = x * 0xbf58476d1ce4e5b9 & MASK
    x ^= x >> 27
    x = x * 0x94d049bb133111eb & MASK
    return x ^ x >> 31


def stream(seed):
    """Draws numbers below a bound."""
    state = 0xcbf29ce484222325
    for byte in b"bootstrap":
        state = (state ^ byte) * 0x100000001b3 & MASK
    key = mixed(mixed(seed + GAMMA & MASK) ^ mixed(state))

    def below(bound):
        nonlocal key
        key = key + GAMMA & MASK
        return mixed(key) * bound >> 64
    return below


def mean(values):
    values = list(values)
    return sum(values) / len(values)


def quantile(values, share):
    place = share * (len(values) - 1)
    low = int(place)
    high = min(low + 1, len(values) - 1)
    return values[low] + (place - low) * (values[high] - values[low])


def of_share(share, n):
    """Wilson's interval of a share of n."""
    middle = share + Z2 / (2 * n)
    reach = (Z2 * (share * (1 - share) / n + Z2 / (4 * n * n))) ** .5
    return [one / (1 + Z2 / n) for one in (middle - reach, middle + reach)]


def interval(by_seed, least, most, seed=1, draws=2000):
    """(mean, low, high, whether Wilson's is in it); `by_seed` has the values of
    each seed by task. None without any."""
    seeds = [one for one in by_seed if one]
    rows = [[one[task] for task in sorted(one)] for one in seeds]
    if not rows:
        return None
    tasks = sorted(set().union(*by_seed))
    centre = mean(map(mean, rows))
    flat = [value for row in rows for value in row]
    share = Z2 / (len(tasks) + Z2)
    wilson = (centre - share * (centre - least),
              centre + share * (most - centre))
    def widened(low, high, of_equals):
        if len(tasks) >= 6:
            return centre, low, high, of_equals
        few = of_share((centre - least) / (most - least), len(tasks))
        few = [least + (most - least) * one for one in few]
        return centre, min(low, few[0]), max(high, few[1]), True

    if max(flat) - min(flat) < 1e-9:
        return widened(*wilson, True)
    below = stream(seed)
    width, count = len(rows[0]), len(rows)
    means = []
    for _ in range(draws):
        if count == 1:
            means.append(mean(rows[0][below(width)] for _ in range(width)))
        elif len(tasks) < sum(map(len, rows)):  # some task is of two seeds
            drawn = [tasks[below(len(tasks))] for _ in tasks]
            picked = []
            while not picked:
                picked = [have for one in (seeds[below(count)] for _ in rows)
                          if (have := [one[t] for t in drawn if t in one])]
            means.append(mean(map(mean, picked)))
        else:
            picked = []
            for _ in rows:
                row = rows[below(count)]
                picked.append(mean(row[below(len(row))] for _ in row))
            means.append(mean(picked))
    means.sort()
    low, high = quantile(means, .025), quantile(means, .975)
    return widened(low, high, False)
