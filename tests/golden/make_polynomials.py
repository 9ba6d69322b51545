# SPDX-License-Identifier: MIT
"""Writes tests/data/polynomials.txt: what NumPy's poly functions give."""

import sys

import numpy as np

sys.dont_write_bytecode = True
from named import Lines, numbers

p, q = np.array([2.0, -3.0, 0.5, 1.0, -4.0]), np.array([1.0, 2.0, -1.0])
i = np.array([3, 0, -2, 1])
f = numbers(6)
z = numbers(3, np.complex128)
x = np.linspace(-2, 3, 12)
y = numbers(12, np.float64)
rows = numbers((12, 2), np.float64)
w = np.arange(1.0, 13.0)
t = Lines()

t.add("polyadd", np.polyadd(p, q))
t.add("polyadd mixed", np.polyadd(i, p))
t.add("polysub", np.polysub(q, p))
t.add("polysub integers", np.polysub(i, i[:2]))
t.add("polymul", np.polymul(p, q))
t.add("polymul integers", np.polymul(i, i))
t.add("polydiv", np.polydiv(p, q))
t.add("polydiv whole", np.polydiv(np.polymul(q, i), q))
t.add("polydiv shorter", np.polydiv(q, p))
t.add("polyder", np.polyder(p))
t.add("polyder twice", np.polyder(i, 2))
t.add("polyder float32", np.polyder(f))
t.add("polyder all", np.polyder(q, 5))
t.add("polyder negative", lambda: np.polyder(p, -1))
t.add("polyint", np.polyint(p))
t.add("polyint integers", np.polyint(i))
t.add("polyint twice", np.polyint(q, 2, k=[6, 5]))
t.add("polyint constant", np.polyint(q, 3, k=2))
t.add("polyval", np.polyval(p, x))
t.add("polyval integers", np.polyval(i, np.arange(6).reshape(2, 3)))
t.add("polyval many", np.polyval(numbers(11, np.float64), x / 4))
t.add("polyval mixed", np.polyval(p, numbers((2, 3))))
t.add("polyval one", np.polyval(p, 1.5))
t.add("polyval complex", np.polyval(z, z))
t.add("polyvander", np.polynomial.polynomial.polyvander(x[:4], 3))
t.add("polyvander matrix", np.polynomial.polynomial.polyvander(x.reshape(3, 4), 2))
t.add("poly", np.poly([1.5, -2, 3]))
t.add("poly integers", np.poly(np.array([1, -2, 3])))
t.add("poly none", np.poly(np.array([], float)))
t.add("poly complex", np.poly(z))
t.add("poly matrix", np.poly(np.array([[2.0, 1, 0], [1, 3, -1], [0.5, -1, 4]])))
t.add("poly shape", lambda: np.poly(rows))
t.add("roots", np.sort_complex(np.roots(p)))
t.add("roots real", np.sort_complex(np.roots([1.0, -6, 11, -6])))
t.add("roots zeros", np.sort_complex(np.roots([0.0, 0, 2, -4, 0, 0])))
t.add("polyfit", np.polyfit(x, y, 3))
t.add("polyfit columns", np.polyfit(x, rows, 2))
t.add("polyfit weights", np.polyfit(x, y, 2, w=w))
t.add("polyfit float32", np.polyfit(x.astype(np.float32), y.astype(np.float32), 1))
full = np.polyfit(x, y, 3, full=True)
t.add("polyfit full", [full[0], full[1], full[3]])
t.add("polyfit cov", np.polyfit(x, y, 2, cov=True))
t.add("polyfit cov columns", np.polyfit(x, rows, 1, cov=True))
t.add("polyfit cov unscaled", np.polyfit(x, y, 2, w=w, cov="unscaled"))
t.add("polyfit lengths", lambda: np.polyfit(x, y[:3], 2))

if __name__ == "__main__":
    t.write("polynomials.txt")
