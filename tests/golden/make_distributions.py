# SPDX-License-Identifier: MIT
"""Writes tests/data/distributions.txt: distribution functions, computed from their formulas with Python alone.

A line is: distribution;parameters;edges;the probability of a number up to each edge. For counts the edges are
integers. Quantiles are found by bisection of the function itself, so an edge is as good as the function.
"""
import math
import pathlib
import struct

INF = math.inf


def gamma_below(a, x):
    """The regularised incomplete gamma function P(a, x)."""
    if x <= 0:
        return 0.0
    if x == INF:
        return 1.0
    front = math.exp(a * math.log(x) - x - math.lgamma(a))
    if x < a + 1:  # its series
        term = total = 1 / a
        k = a
        while term > total * 1e-17:
            k += 1
            term *= x / k
            total += term
        return min(1.0, front * total)
    b = x + 1 - a  # the continued fraction of 1 - P
    c = 1e300
    d = 1 / b
    h = d
    for i in range(1, 200000):
        an = -i * (i - a)
        b += 2
        d = 1 / (an * d + b or 1e-300)
        c = b + an / c or 1e-300
        h *= d * c
        if abs(d * c - 1) < 1e-16:
            break
    return max(0.0, 1 - front * h)


def beta_below(a, b, x):
    """The regularised incomplete beta function I_x(a, b)."""
    if x <= 0:
        return 0.0
    if x >= 1:
        return 1.0
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x))

    def fraction(a, b, x):
        c = 1.0
        d = 1 / (1 - (a + b) * x / (a + 1) or 1e-300)
        h = d
        for m in range(1, 200000):
            for an in (m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
                       -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))):  # fmt: skip
                d = 1 / (1 + an * d or 1e-300)
                c = 1 + an / c or 1e-300
                h *= d * c
            if abs(d * c - 1) < 1e-16:
                break
        return h

    if x < (a + 1) / (a + b + 2):
        return front * fraction(a, b, x) / a
    return 1 - front * fraction(b, a, 1 - x) / b


def poisson_weights(mean):
    """(k, probability) of all k that count."""
    middle = int(mean)
    width = int(40 + 12 * math.sqrt(mean))
    for k in range(max(0, middle - width), middle + width):
        yield k, math.exp(k * math.log(mean) - mean - math.lgamma(k + 1)) if mean > 0 else float(k == 0)


def chisquare(df, x):
    return gamma_below(df / 2, x / 2)


def f(dfnum, dfden, x):
    return 1.0 if x == INF else beta_below(dfnum / 2, dfden / 2, dfnum * x / (dfnum * x + dfden))


def noncentral_chisquare(df, nonc, x):
    return sum(w * chisquare(df + 2 * k, x) for k, w in poisson_weights(nonc / 2))


def noncentral_f(dfnum, dfden, nonc, x):
    if x == INF:
        return 1.0
    y = dfnum * x / (dfnum * x + dfden)
    return sum(w * beta_below(dfnum / 2 + k, dfden / 2, y) for k, w in poisson_weights(nonc / 2))


def standard_t(df, x):
    tail = 0.5 * beta_below(df / 2, 0.5, df / (df + x * x))
    return tail if x < 0 else 1 - tail


def normal(x):
    return 0.5 * math.erfc(-x / math.sqrt(2))


def wald(mean, scale, x):
    if x <= 0:
        return 0.0
    if x == INF:
        return 1.0
    r = math.sqrt(scale / x)
    second = normal(-r * (x / mean + 1))
    return normal(r * (x / mean - 1)) + (math.exp(2 * scale / mean + math.log(second)) if second > 0 else 0.0)


class vonmises_about_0:
    """Simpson's rule on steps much finer than the density's width."""

    def __init__(self, kappa):
        self.width = min(math.pi, 12 / math.sqrt(kappa) if kappa > 0 else math.pi)
        self.n = 20000
        step = 2 * self.width / self.n
        density = [math.exp(-2 * kappa * math.sin((-self.width + i * step) / 2) ** 2) for i in range(self.n + 1)]
        self.sums = [0.0]
        for i in range(0, self.n, 2):
            self.sums.append(self.sums[-1] + density[i] + 4 * density[i + 1] + density[i + 2])

    def __call__(self, x):
        """At the knot before x; edges() asks for knots."""
        i = int((x + self.width) / (2 * self.width) * (self.n // 2) + 1e-6)
        return self.sums[max(0, min(i, self.n // 2))] / self.sums[-1]

    def edges(self):
        result = []
        for p in LEVELS:
            i = next(i for i, s in enumerate(self.sums) if s >= p * self.sums[-1])
            x = -self.width + i * 2 * self.width / (self.n // 2)
            if abs(x) < math.pi * (1 - 1e-12):
                result.append((x, self.sums[i] / self.sums[-1]))
        return result


LEVELS = [0.0005, 0.002, 0.005] + [i / 50 for i in range(1, 50)] + [0.995, 0.998, 0.9995]


def ordered(x):
    """The doubles in their order, as integers."""
    (bits,) = struct.unpack("<q", struct.pack("<d", x))
    return bits if bits >= 0 else -(bits & 0x7FFFFFFFFFFFFFFF)


def number(i):
    return struct.unpack("<d", struct.pack("<q", i))[0] if i >= 0 else -struct.unpack("<d", struct.pack("<q", -i))[0]


def quantiles(below, low, high):
    result = []
    for p in LEVELS:
        first, last = ordered(low), ordered(high)
        while last - first > 1 << 20:
            middle = (first + last) // 2
            if below(number(middle)) < p:
                first = middle
            else:
                last = middle
        x = number(last)
        if low < x < high and abs(x) > 1e-290 and (not result or x > result[-1][0]):
            result.append((x, below(x)))
    return result


def count_edges(probabilities):
    """Of an iterable of (k, probability) with k rising."""
    result = []
    total = 0.0
    levels = iter(LEVELS)
    level = next(levels)
    for k, p in probabilities:
        total += p
        if total >= level:
            result.append((k, total))
            while total >= level:
                level = next(levels, None)
                if level is None:
                    return result
    return result


def negative_binomial(n, p):
    k = 0
    while k < 10**7:
        yield k, math.exp(math.lgamma(n + k) - math.lgamma(n) - math.lgamma(k + 1) + n * math.log(p) + k * math.log1p(-p))
        k += 1


def hypergeometric(good, bad, sample):
    """From the quotients of neighbours, so that nothing cancels."""
    first, last = max(0, sample - bad), min(good, sample)
    mode = (sample + 1) * (good + 1) // (good + bad + 2)
    width = int(40 + 12 * math.sqrt(sample * good / (good + bad)))
    low, high = max(first, mode - width), min(last, mode + width)
    weights = {mode: 1.0}
    for k in range(mode, high):
        weights[k + 1] = weights[k] * (good - k) * (sample - k) / ((k + 1) * (bad - sample + k + 1))
    for k in range(mode, low, -1):
        weights[k - 1] = weights[k] * k * (bad - sample + k) / ((good - k + 1) * (sample - k + 1))
    total = sum(weights.values())
    for k in range(low, high + 1):
        yield k, weights[k] / total


def logseries(p):
    k = 1
    scale = -1 / math.log1p(-p)
    while k < 10**7:
        yield k, scale * math.exp(k * math.log(p)) / k
        k += 1


def zeta(a):
    """Euler and Maclaurin's formula after 1000 terms."""
    n = 1000
    total = sum(k**-a for k in range(1, n))
    return total + n ** (1 - a) / (a - 1) + 0.5 * n**-a + a * n ** (-a - 1) / 12 - a * (a + 1) * (a + 2) * n ** (-a - 3) / 720


def zipf(a):
    """Of numbers that 64 bits hold."""
    scale = 1 / (zeta(a) - 2.0 ** (63 * (1 - a)) / (a - 1))
    for k in range(1, 10**6):
        yield k, scale * k**-a


lines = []


def add(name, parameters, edges):
    assert len(edges) >= 1, (name, parameters)
    lines.append(f"{name};{' '.join(f'{p:.17g}' for p in parameters)};{' '.join(f'{x:.17g}' for x, _ in edges)};"
                 f"{' '.join(f'{p:.12g}' for _, p in edges)}")  # fmt: skip


def continuous(name, cases, below, low=0.0, high=1e300):
    for parameters in cases:
        add(name, parameters, quantiles(lambda x: below(*parameters, x), low, high))


continuous("gamma", [(0.001, 1), (0.1, 1), (0.5, 2), (0.999, 1), (1, 1), (1.5, 1e-5), (3, 7), (30, 1), (1e4, 1)],
           lambda a, scale, x: gamma_below(a, x / scale))  # fmt: skip
continuous("standard_gamma", [(0.02,), (2.5,), (400,)], gamma_below)
continuous("chisquare", [(0.1,), (1,), (5,), (300,)], chisquare)
continuous("beta", [(0.5, 0.5), (0.01, 0.01), (0.02, 3), (1, 1), (5, 1), (2, 7.5), (1000, 2000), (1e-3, 1e-2)], beta_below,
           high=1.0)  # fmt: skip
continuous("f", [(1, 1), (5, 2), (0.5, 10), (100, 300)], f)
continuous("standard_t", [(0.3,), (1,), (3,), (50,), (1e5,)], standard_t, low=-1e300)
continuous("noncentral_chisquare", [(0.5, 0.1), (0.5, 30), (1, 4), (3, 20), (20, 0), (7, 300)], noncentral_chisquare)
continuous("noncentral_f", [(3, 20, 3), (0.7, 5, 10), (10, 4, 0)], noncentral_f)
continuous("wald", [(1, 1), (3, 2), (0.5, 60), (1, 0.01), (1000, 5)], wald)
continuous("laplace", [(0, 1), (-3, 0.5)],
           lambda loc, s, x: 0.5 * math.exp((x - loc) / s) if x < loc else 1 - 0.5 * math.exp((loc - x) / s), low=-1e300)  # fmt: skip
continuous("logistic", [(0, 1), (5, 20)], lambda loc, s, x: 1 / (1 + math.exp(min(700, (loc - x) / s))), low=-1e300)
continuous("gumbel", [(0, 1), (-2, 30)], lambda loc, s, x: math.exp(-math.exp(min(700, (loc - x) / s))), low=-1e300)
continuous("pareto", [(0.1,), (1,), (3,), (1e10,)], lambda a, x: -math.expm1(-a * math.log1p(x)))
continuous("power", [(0.01,), (1,), (5,), (1e6,)], lambda a, x: math.exp(a * math.log(x)) if x > 0 else 0.0, high=1.0)
continuous("rayleigh", [(1,), (1e-3,)], lambda s, x: -math.expm1(-(min(x / s, 1e10) ** 2) / 2))
continuous("standard_cauchy", [()], lambda x: 0.5 + math.atan(x) / math.pi if x > -1 else math.atan(-1 / x) / math.pi, low=-1e300)
continuous("weibull", [(0.05,), (1,), (2.5,), (1000,)], lambda a, x: -math.expm1(-math.exp(min(700, a * math.log(x)))) if x > 0 else 0.0)


def triangular(left, mode, right, x):
    if not left < x < right:
        return float(x >= right)
    if x < mode:
        return (x - left) ** 2 / ((right - left) * (mode - left))
    return 1 - (right - x) ** 2 / ((right - left) * (right - mode))


continuous("triangular", [(0, 0.3, 1), (-5, -5, 2), (1, 10, 10), (-1, 0, 1)], triangular, low=-1e300)
for kappa in (0, 0.1, 0.49, 0.51, 2, 30, 1e6):
    add("vonmises", (0, kappa), vonmises_about_0(kappa).edges())


for p in (1e-9, 1e-3, 0.1, 0.5, 0.9):
    edges = []
    for level in LEVELS:
        k = max(1, math.ceil(math.log1p(-level) / math.log1p(-p)))
        if not edges or k > edges[-1][0]:
            edges.append((k, -math.expm1(k * math.log1p(-p))))
    add("geometric", (p,), edges)
for parameters in ((0.01, 0.5), (1, 0.3), (3.5, 0.1), (20, 0.9), (1000, 0.5), (5, 1e-3)):
    add("negative_binomial", parameters, count_edges(negative_binomial(*parameters)))
for parameters in ((5, 7, 6), (100, 20, 9), (100, 20, 60), (20, 100, 110), (1000, 3000, 500), (30, 10**8, 4 * 10**7),
                   (5 * 10**8, 4 * 10**8, 10**6), (3, 500, 250), (400, 600, 999), (1, 1, 1)):  # fmt: skip
    add("hypergeometric", parameters, count_edges(hypergeometric(*parameters)))
for p in (1e-3, 0.3, 0.9, 0.9999):
    add("logseries", (p,), count_edges(logseries(p)))
for a in (1.05, 1.5, 2, 4, 8):
    add("zipf", (a,), count_edges(zipf(a)))

target = pathlib.Path(__file__).resolve().parent.parent / "data" / "distributions.txt"
target.write_text("\n".join(lines) + "\n")
print(f"{len(lines)} distributions to {target}")
