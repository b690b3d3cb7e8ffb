#!/usr/bin/env python3
"""Classes of faults, and the tests that each has. Called by scripts/faults.

    classes.py [--short] [WORD...]   runs them, prints a table and "N of M classes hold"
    classes.py --check TESTS         only whether each has a test; TESTS is the folder of tests
"""
import os
import pathlib
import re
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]

# Number, what happens, what Abut promises, tests: suites or suites with names, and other tests of
# ctest as "@name".
CLASSES = [
    (1, "NaN and infinity in poses, velocities, forces", "refused; a step that makes them is not made",
     "Worlds.BadCallsAreRefusedAndChangeNothing Changes.BadCallsAreRefusedAndChangeNothing QueriesBelievePoses "
     "WorldStep.RefusedStepLeavesContactsAndImpulsesAsTheyWere WorldQueries.BadOnesAreRefused Arguments "
     "ProgramArguments.DrawingsHaveFinitePlaces ProgramArguments.LiveViewsWaitForNumbersOfSeconds"),
    (2, "sizes of zero, negative, absurd", "refused, with the value",
     "SphereShape.RefusesAbsurdRadii BoxShape.RefusesAbsurdSizes CapsuleShape.RefusesAbsurdSizes "
     "CylinderShape.RejectsSizesOutsideTheRange Attack.SizesMassesSpeedsAndStepsAtTheirLimits"),
    (3, "rotations that are none", "repaired within rounding, else refused",
     "ToPose QueriesBelievePoses Arguments.PosesOfShapesAreRigid PathsOfScheme.BadPathsAreRefusedAndChangeNothing"),
    (4, "impossible masses; extreme ratios", "refused; solved, or said to be not converged",
     "Bodies.ImpossibleMassesAreRefusedByName HeavyOnLight RealTimeTower.OfMassesTenThousandToOneStands"),
    (5, "degenerate meshes", "refused with the index, or dropped and counted",
     "MeshShape.BadInputIsRefusedWithItsIndex MeshShape.OpenMeshHasNoMassAndSaysWhy MeshShape.ReportCountsWhatWasFound LargeShapes"),
    (6, "degenerate hulls", "a reason; every point is inside",
     "ConvexShape.DegenerateInputSaysWhatIsWrong ConvexShape.KillersStayConvexAndClosed HullKillers"),
    (7, "fast bodies", "none passes a wall", "HoldBackOfScheme FastBodies"),
    (8, "bodies in one place", "they part without energy, above the ground",
     "CoincidentBodiesPassedTheGround Attack.CoincidentBodiesPart Invariance.CoincidentPosesHaveAFiniteDepthAndNormal"),
    (9, "places far from the origin", "contacts stay; beyond the limit refused", "FarAway HullPair.MovedByAKilometreTheAnswerIsTheSame"),
    (10, "steps of zero, negative, NaN, too long", "zero does nothing, the others are refused",
     "Attack.SizesMassesSpeedsAndStepsAtTheirLimits Worlds.BadCallsAreRefusedAndChangeNothing"),
    (11, "changes from callbacks, callbacks that throw, ids that are gone", "Locked; the world as it was; UnknownObject",
     "WorldObserver.cannotChangeTheWorldWithinAStep WorldObserver.thatThrowsLeavesTheWorldAsItWas "
     "Changes.BadCallsAreRefusedAndChangeNothing MovedFrom"),
    (12, "pairs with itself, twice, in the other order", "refused, or the same",
     "DefaultCollisionFilter Filter.BadCallsAreRefusedAndChangeNothing ContactManifoldCache.ManifoldsGivenInTheOtherOrderOfObjectsAreTheSame"),
    (13, "more pairs, contacts and memory than allowed", "the step is not made; the message has the counts",
     "Limits ManyPairs ContactManifoldCache.MaxPairsKeepsTheDeepestAndSaysHowManyWereLeftOut"),
    (14, "memory runs out", "OutOfMemory, and the world bit for bit as it was",
     "OutOfMemory OutOfMemoryInScenes OutOfMemoryInReaders OutOfMemoryInRecordings OutOfMemoryInCheckpoints OutOfMemoryInGroups OutOfMemoryInTools "
     "OutOfMemoryInTheTool"),
    (15, "damaged snapshots, checkpoints, recordings", "refused with the place",
     "Snapshot.ForeignTruncatedAndDamagedBytesAreRefused RestoredState Checkpoint.DamagedOrForeignOnesAreRefusedAndChangeNothing Recording"),
    (16, "writing that ends: killed, disk full, no such place", "every complete frame is there; nothing that was there is lost",
     "RunAndKill FullDisk Output Files.AtomicWritesLeaveTheOldFileOrTheNew ProgramArguments.ReportsDoNotReplaceTheirRecording"),
    (17, "going on from a checkpoint", "the same bits",
     "Checkpoint.GoesOnToTheBit Snapshot.RestoredWorldGoesOnBitForBit WorldJoints.RestoredWorldGoesOnWithTheSameBits @snapshot_resume"),
    (18, "another number of threads", "the same bits", "Threads Stages Crew"),
    (19, "JSON that attacks", "one line with file, line and column", "BrokenScenes Scene.CountsThatGrowWithoutBoundAreRefusedAtOnce"),
    (20, "XML that attacks", "no document types, no entities, limits", "HostileXml Urdf.ImpossibleFilesAreRefusedByLineAndName"),
    (21, "mesh files that lie", "refused", "HostileMeshes MeshShape.BadInputIsRefusedWithItsIndex"),
    (22, "paths that leave the scene's folder", "refused", "Scene.MeshesComeFromTheScenesFolderOnly Mjcf.MeshesComeFromTheMainFilesFolderWithTheirReference"),
    (23, "hostile names and requests to the page and its server", "text stays text; other origins are refused",
     "BrokenScenes.NamesLikeHtmlAreFineAndStayWhatTheyAre @web.page @web.data"),
    (24, "the host's floating-point environment", "the same bits; put back after each call", "HostFloatEnvironment"),
    (25, "one world looked at by many threads", "the same answers", "FarAway.ManyThreadsLookAtOnceAtWhatWasJustChanged RandomQueries"),
    (26, "the end of ids, bodies in any order", "LimitExceeded; no call costs more", "Ids AnyOrder AnyOrderOfCalls"),
]


def pattern(tests):
    """A regular expression for ctest's names, Suite.Name, Instance/Suite.Name/Parameter or others."""
    # ctest knows few brackets in one expression.
    named = [t for t in tests.split() if not t.startswith("@")]
    others = ["^" + re.escape(t[1:]) + "$" for t in tests.split() if t.startswith("@")]
    suites = "|".join(re.escape(t) if "." in t else re.escape(t + ".") for t in named)
    return "|".join([f"^([A-Za-z]+/)?({suites})"] + others)


def missing(folder):
    """Tests named above that no source has."""
    sources = "\n".join(p.read_text() for p in pathlib.Path(folder).rglob("*_test.cpp"))
    listed = "\n".join(p.read_text() for p in pathlib.Path(folder).rglob("CMakeLists.txt"))
    found = set(re.findall(r"^TEST(?:_[FP])?\((\w+), (\w+)\)", sources, re.M))
    suites = {suite for suite, _ in found}
    for number, _, _, tests in CLASSES:
        for test in tests.split():
            suite, _, name = test.partition(".")
            if test.startswith("@"):
                if test[1:].split(".")[0] not in listed:
                    yield number, test
            elif suite not in suites or (name and (suite, name) not in found):
                yield number, test


def count(tests, short):
    environment = dict(os.environ)
    if not short:
        environment["ABUT_FAULTS"] = "all"
    done = subprocess.run(["ctest", "--test-dir", "build", "-R", pattern(tests), "-j", str(os.cpu_count() or 1),
                           "--timeout", "7200", "--no-tests=error"], cwd=ROOT, env=environment, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    results = re.findall(r"^ *\d+/\d+ +Test +#\d+: (\S+).*? \.{3,}(.*?) +[\d.]+ sec", done.stdout, re.M)
    failed = [name for name, result in results if "Passed" not in result and "Skipped" not in result]
    passed = sum("Passed" in result for _, result in results)
    return passed, failed, done.returncode


def main():
    arguments = sys.argv[1:]
    if arguments[:1] == ["--check"]:
        lacking = list(missing(arguments[1]))
        for number, test in lacking:
            print(f"class {number}: no test {test}")
        print(f"{len(CLASSES) - len({n for n, _ in lacking})} of {len(CLASSES)} classes have their tests")
        return 1 if lacking else 0
    short = "--short" in arguments
    words = [a for a in arguments if not a.startswith("--")]
    rows, holding = [], 0
    for number, what, promise, tests in CLASSES:
        if words and not any(w == str(number) or w in what for w in words):
            continue
        start = time.monotonic()
        passed, failed, status = count(tests, short)
        holds = status == 0 and passed > 0 and not failed
        holding += holds
        rows.append((number, what, promise, passed, "holds" if holds else "DOES NOT: " + ", ".join(failed or ["no test ran"])))
        print(f"{number:2} {what:66} {passed:4} tests, {rows[-1][-1]} ({time.monotonic() - start:.0f} s)", flush=True)
    print("\n| # | class | promise | tests | |\n|---|---|---|---|---|")
    for row in rows:
        print("| " + " | ".join(str(cell) for cell in row) + " |")
    print(f"{holding} of {len(rows)} classes hold")
    return 0 if rows and holding == len(rows) else 1


sys.exit(main())
