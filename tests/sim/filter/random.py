#!/usr/bin/env python3
"""random.py SEED: a program in place of features.c: functions that call each other, directly, through pointers and last of all,
with loops, switches and returns at any place. Calls are limited; the stack it needs is small."""
import random, sys

r = random.Random(int(sys.argv[1]))
names = ["f%d" % i for i in range(r.randint(8, 24))]

def value(depth=0):
    k = r.random()
    if depth > 2 or k < .3:
        return r.choice(["a", "b", "s", "%d" % r.randint(-300, 300), "seven", "zero"])
    if k < .8:
        return "(%s %s %s)" % (value(depth + 1), r.choice("+-^&|*"), value(depth + 1))
    if k < .9:
        return "(%s ? %s : %s)" % (condition(depth + 1), value(depth + 1), value(depth + 1))
    return "(int)((unsigned)(%s) >> %d)" % (value(depth + 1), r.randint(1, 7))

def condition(depth=0):
    return "%s %s %s" % (value(depth), r.choice(["<", ">", "==", "!=", "<=", ">="]), value(depth))

def call():
    if r.random() < .7:
        return "%s(%s, %s)" % (r.choice(names), value(1), value(1))
    return "table[(%s) & 7](%s, %s)" % (value(1), value(1), value(1))

def leave():
    return "return %s;" % r.choice([call(), call(), "%s + %s" % (call(), value()), value(), value()])

def statement(out, depth, indent):
    k, t = r.random(), "\t" * indent
    if k < .25:
        out.append(t + "s = %s;" % value())
    elif k < .45:
        out.append(t + "s += %s;" % call())
    elif k < .65 and depth < 3:
        out.append(t + "if (%s) {" % condition())
        for _ in range(r.randint(1, 3)):
            statement(out, depth + 1, indent + 1)
        if r.random() < .4:
            out.append(t + "\t" + leave())
        out.append(t + "}")
    elif k < .75 and depth < 2:
        out.append(t + "switch ((unsigned)(%s) %% %d) {" % (value(), r.randint(4, 12)))
        for case in range(r.randint(4, 10)):
            out.append(t + "case %d:" % case)
            statement(out, depth + 2, indent + 1)
            out.append(t + "\t" + (leave() if r.random() < .4 else "break;"))
        out.append(t + "}")
    elif k < .82 and depth < 2:
        out.append(t + "for (int i%d = 0; i%d < %d; i%d++) {" % (depth, depth, r.randint(1, 4), depth))
        statement(out, depth + 2, indent + 1)
        out.append(t + "}")
    elif k < .88:
        out.append(t + "{ volatile int x[%d]; x[1] = s; s ^= x[1] * 3; }" % r.randint(2, 4))
    elif k < .92:
        out.append(t + "s = (int)((long long)s * %s / %d);" % (value(), r.randint(3, 99)))
    else:
        out.append(t + "if (%s) %s" % (condition(), leave()))

out = ['#include "features.h"', "", "volatile int zero = 0, seven = 7;", "static int left;", "typedef int (*function)(int, int);",
       "static function volatile table[8];", ""]
out += ["NOINLINE int %s(int a, int b);" % name for name in names]
for name in names:
    out += ["", "NOINLINE int %s(int a, int b)" % name, "{", "\tint s = a ^ b;", "", "\tif (left-- <= 0)",
            "\t\treturn %s;" % r.choice(["a", "b", "s", "3"])]
    for _ in range(r.randint(1, 7)):
        statement(out, 0, 1)
    out += ["\t" + leave(), "}"]
out += ["", "NOINLINE int recursive(int x)", "{", "\treturn x <= 0 ? 1 : recursive(x - 1) + f0(x, 1);", "}",
        "", "NOINLINE int tail(int x)", "{", "\treturn f1(x, 2);", "}", "", "void features_c(void)", "{"]
out += ["\ttable[%d] = %s;" % (i, r.choice(names)) for i in range(8)]
for _ in range(100):
    out += ["\tleft = 40;", '\tsay("%s", %s(%d, %d));' % ((lambda f: (f, f, r.randint(-99, 99), r.randint(-99, 99)))(r.choice(names)))]
out += ["\tleft = 9;", '\tsay("last", recursive(3) + tail(1) + from_assembly(1));', "}"]
print("\n".join(out))
