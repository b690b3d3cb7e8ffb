#!/usr/bin/env python3
"""The determinism deny list: what may not stand in the library's code. See docs/determinism.md.

A line that is right nevertheless ends with a comment  // deny-ok: <reason>.
"""
import re

from common import CXX, ROOT, Report, code_lines, tracked

LIBM = ("sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh exp exp2 expm1 log log2 log10 "
        "log1p pow hypot cbrt fmin fmax fma fmod remainder remquo erf erfc tgamma lgamma round lround "
        "llround rint lrint nearbyint trunc ceil ldexp scalbn frexp modf fdim lerp").split()
EIGEN = ("dot cross norm squaredNorm stableNorm normalize normalized inverse determinant transpose sum "
         "prod mean minCoeff maxCoeff cwiseAbs cwiseMin cwiseMax cwiseProduct cwiseQuotient array "
         "toRotationMatrix slerp llt ldlt lu colPivHouseholderQr").split()

# Pattern, what is wrong, what to write instead.
EVERYWHERE = [
    (r"(?<![\w.>:])(?:std\s*::\s*|::)?(?:%s)[fl]?\s*\(" % "|".join(LIBM),
     "calls the C mathematics library, whose bits differ between machines",
     "src/math (sinCos, atan2Of, acosOf, minOf, maxOf) or + - * / sqrt floor"),
    (r"__builtin_(?:fma|sin|cos|exp|log|pow|fmin|fmax)", "calls a compiler's mathematics", "as for libm"),
    (r"\bstd\s*::\s*hash\b", "std::hash differs between standard libraries", "an own hash of ids"),
    (r"\bunordered_\w+", "the order of an unordered container differs", "a sorted std::vector"),
    (r"\b(?:s?rand|drand48)\s*\(|\brandom_device\b|\bdefault_random_engine\b|\w+_distribution\b",
     "random numbers differ between machines", "an own integer generator with a seed from the caller"),
    (r"\b(?:nth_element|partial_sort|partition_copy)\b",
     "leaves equal or unordered elements in an order of the library's choice", "std::sort by a total key"),
    (r"\bstd\s*::\s*(?:reduce|transform_reduce|execution|inner_product)\b",
     "the order of summation is not written down", "a loop"),
    (r"\blong\s+double\b", "has another size on other machines", "double"),
    (r"\b(?:getenv|setlocale|std\s*::\s*locale)\b|\bstd\s*::\s*chrono\b|\btime\s*\(\s*(?:0|nullptr|NULL)",
     "the library reads no environment, locale or clock", "a parameter"),
    (r"\bstd\s*::\s*(?:cout|cerr|clog|printf|puts|abort|exit|terminate)\b|(?<![\w.>:])(?:f?printf|puts|abort|exit)\s*\(",
     "the library neither prints nor aborts", "a Status or an exception with the values and the remedy"),
    (r"\breinterpret_cast\s*<\s*(?:std\s*::\s*)?u?intptr_t", "an address depends on the run", "an id"),
    (r"#\s*pragma\s+(?:omp|STDC|GCC\s+optimize)", "changes floating-point rules locally", "the target's flags"),
    (r"\bstd\s*::\s*(?:ranges|views|bit_cast|format)\b",
     "is missing in the standard library of the WebAssembly leg", "std::sort(begin, end), std::memcpy"),
]
SOURCES_ONLY = [
    (r"\bfloat\b", "single precision: results are in double", "double, or a line in FLOAT_FILES with a reason"),
    (r"\.\s*(?:%s)\s*\(" % "|".join(EIGEN),
     "looks like Eigen arithmetic, which changes with the SIMD level", "the functions of src/math on Vec3, Mat3"),
    (r"<Eigen/(?!Core>|Geometry>|StdVector>)", "an Eigen header for arithmetic", "src/math"),
]
HEADERS_ONLY = [
    (r"#\s*include\s*<(?:cmath|math\.h|numeric|complex)>",
     "arithmetic in a public header is compiled with the user's flags", "move the body to src/"),
    (r"\.\s*(?:%s)\s*\(" % "|".join(EIGEN),
     "Eigen arithmetic in a public header", "move the body to src/"),
    (r"\b(?:\w|\)|\])\s+[*/]\s+[\w(]|\b\w+_?\s+[-+]\s+\w",
     "arithmetic in a public header is compiled with the user's flags",
     "move the body to src/ (for integers: // deny-ok: integers)"),
]
# Files that compute in single precision on purpose: conservative bounds that decide no result.
# The broad phase's tree holds boxes in floats, widened outwards; what they cannot decide is decided
# in double precision, so no float reaches a result.
FLOAT_FILES = {
    "src/broad_phase/" + name
    for name in ("box_tree.cpp", "box_tree.hpp", "float8.hpp", "float_box.hpp", "curve_order.cpp", "size_classes.cpp")
}
# Sweeps over mechanisms keep what bodies make of each other's velocities in floats: sweeps end at a
# tolerance far above what that rounds, and velocities follow from their impulses in double precision.
FLOAT_FILES |= {"src/math/float4.hpp", "src/joints/tree_sweeps.cpp", "src/joints/tree_sweeps.hpp"}
# What those floats are handed on by, from factors in double precision.
FLOAT_FILES |= {"src/joints/" + name for name in ("add_answers.hpp", "single_inverse.cpp", "single_inverse.hpp")}

FAST_MATH_GUARD = "src/core/check.hpp"


def compiled(rules):
    return [(re.compile(pattern), what, remedy) for pattern, what, remedy in rules]


def main():
    report = Report("deny list")
    sources, headers = tracked("src", suffixes=CXX), tracked("include", suffixes=CXX)
    for files, rules in ((sources, compiled(EVERYWHERE + SOURCES_ONLY)),
                         (headers, compiled(EVERYWHERE + HEADERS_ONLY))):
        for path in files:
            for number, code, line in code_lines(path):
                if re.search(r"// deny-ok: \w", line):
                    continue
                for pattern, what, remedy in rules:
                    match = pattern.search(code)
                    if not match or (match.group(0) == "float" and str(path) in FLOAT_FILES):
                        continue
                    report.fail(path, number, f"'{match.group(0).strip()}' {what}", remedy)
    if "__FAST_MATH__" not in (ROOT / FAST_MATH_GUARD).read_text():
        report.fail(FAST_MATH_GUARD, 1, "no #error on __FAST_MATH__", "put it back")
    report.finish(f"{len(sources)} sources, {len(headers)} public headers")


main()
