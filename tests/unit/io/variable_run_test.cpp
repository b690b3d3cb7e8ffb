// SPDX-License-Identifier: MIT
#include "io/run/variable_run.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "io/core/text.hpp"
#include "io/recording/frame_codec.hpp"
#include "io/run/simulation.hpp"

namespace abut::io {
namespace {

#if ABUT_HAS_CVODE
constexpr bool kHasCvode = true;
#else
constexpr bool kHasCvode = false;
#endif

Scene parse(const std::string& text) {
  return parseScene(text, "test.json", MemoryAssets(std::map<std::string, std::string>{}));
}

/// A ball of 0.1 m dropped from 1 m on a floor; `more` stands at the ball, `top` at the top.
std::string dropped(const std::string& step, const std::string& more = "",
                    const std::string& top = "") {
  return R"({"step": )" + step + R"(, "duration": 1, )" + top +
         R"("materials": {"m": {"restitution": 0.8, "friction": 0.5}}, "bodies": [
    {"name": "floor", "type": "static", "shapes": [{"plane": {"normal": [0, 0, 1]}, "material": "m"}]},
    {"name": "ball", "position": [0, 0, 1.1], "shapes": [{"sphere": {"radius": 0.1}, "material": "m"}])" +
         more + "}]}";
}
const std::string kImpacts = R"({"variable": "impacts"})";
const std::string kCompliant = R"({"variable": "compliant"})";

std::string faultOf(const std::string& text) {
  try {
    (void)parse(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

/// All frames of a run.
std::vector<Frame> framesOf(const Scene& scene) {
  const std::unique_ptr<SceneRun> run = startRun(scene);
  std::vector<Frame> frames(1);
  run->capture(frames[0]);
  while (run->getStep() < scene.numSteps) {
    EXPECT_TRUE(run->advance()) << run->getFault();
    run->capture(frames.emplace_back());
  }
  return frames;
}

TEST(VariableRun, RecordsAtTheAskedTimesAndEndsWithTheDuration) {
  const Scene scene = parse(dropped(kImpacts, "", R"("record": {"interval": 0.3}, )"));
  const std::vector<Frame> frames = framesOf(scene);
  ASSERT_EQ(frames.size(), 5u);
  EXPECT_EQ(frames[1].time, 0.3);
  EXPECT_EQ(frames[3].time, 0.3 * 3);
  EXPECT_EQ(frames[4].time, 1.0);
  // 1 m is ten times 0.1 m, whatever the rounding of a tenth: ten frames, not eleven.
  EXPECT_EQ(parse(dropped(kImpacts, "", R"("record": {"interval": 0.1}, )")).numSteps, 10u);
}

TEST(VariableRun, ImpactsStandWhereTheyHappened) {
  // Falls 1 m in t = sqrt(2 / 9.81) s, comes back after 2 e t; the floor takes m (1 + e) g t.
  const Scene scene = parse(dropped(kImpacts));
  std::vector<EventFrame> events;
  for (const Frame& frame : framesOf(scene))
    events.insert(events.end(), frame.events.begin(), frame.events.end());
  ASSERT_EQ(events.size(), 1u);
  const double t = std::sqrt(2 / 9.81), mass = 4.0 / 3.0 * 3.14159265358979323846;
  EXPECT_EQ(events[0].kind, EventKind::Impact);
  EXPECT_NEAR(events[0].time, t, 1e-13);
  const double sign = events[0].object1 == idOfName("ball") ? 1 : -1;
  EXPECT_NEAR(sign * events[0].impulse.z, mass * 1.8 * 9.81 * t, 1e-9);
}

TEST(VariableRun, BooksOfLocatedImpactsCloseInFlight) {
  const Scene scene = parse(dropped(kImpacts, R"(, "angularVelocity": [1, 2, 3])"));
  for (const Frame& frame : framesOf(scene)) {
    EXPECT_LT(std::fabs(frame.totalEnergy.residual()), 1e-12 * frame.totalEnergy.largestEntry());
    EXPECT_LE(frame.totalEnergy.impact, 0.0);
  }
}

TEST(VariableRun, SameBitsForAnyOrderOfBodies) {
  const std::string a =
      R"({"name": "a", "position": [0, 0, 1], "shapes": [{"sphere": {"radius": 0.5}}]})";
  const std::string b =
      R"({"name": "b", "position": [0.1, 0, 3], "shapes": [{"box": {"size": [1, 1, 1]}}]})";
  const std::string c =
      R"({"name": "c", "type": "static", "shapes": [{"plane": {"normal": [0, 0, 1]}}]})";
  const auto hashOf = [](const std::string& bodies) {
    const Scene scene =
        parse(R"({"step": {"variable": "impacts"}, "duration": 0.6, "bodies": [)" + bodies + "]}");
    return framesOf(scene).back().hash;
  };
  EXPECT_EQ(hashOf(a + "," + b + "," + c), hashOf(c + "," + b + "," + a));
}

TEST(VariableRun, RestingContactsCarryTheWeight) {
  const Scene scene = parse(R"({"step": {"variable": "impacts"}, "duration": 0.1, "bodies": [
    {"name": "floor", "type": "static", "shapes": [{"plane": {"normal": [0, 0, 1]}}]},
    {"name": "box", "position": [0, 0, 0.5], "mass": 2, "shapes": [{"box": {"size": [1, 1, 1]}}]}]})");
  const Frame last = framesOf(scene).back();
  double force = 0.0;
  for (const ContactFrame& c : last.contacts) force += c.normalForce;
  EXPECT_NEAR(force, 2 * 9.81, 1e-9);
  EXPECT_EQ(last.contacts[0].friction, 0.5);
}

TEST(VariableRun, LocksHoldInBoth) {
  for (const std::string& step : {kImpacts, kCompliant}) {
    if (step == kCompliant && !kHasCvode) continue;
    const Scene scene = parse(dropped(
        step,
        R"(, "linearVelocity": [1, 0, 0], "angularVelocity": [0, 0, 2], "lock": ["z", "rotationX"])"));
    const Frame last = framesOf(scene).back();
    const std::size_t ball = idOfName("ball") < idOfName("floor") ? 0 : 1;
    EXPECT_NEAR(last.bodies[ball].position.z, 1.1, 1e-12);
    EXPECT_NEAR(last.bodies[ball].position.x, 1.0, 1e-6);
    EXPECT_NEAR(last.bodies[ball].angularVelocity.z, 2.0, 1e-6);
  }
}

TEST(VariableRun, CompliantForcesBeginAndEndInTheirTime) {
  if (!kHasCvode) GTEST_SKIP() << "built without CVODE";
  // 8 N for 0.25 s on 2 kg without gravity: 1 m/s.
  const Scene scene = parse(
      R"({"step": {"variable": "compliant"}, "duration": 1, "gravity": [0, 0, 0], "bodies": [{"name": "a",
          "mass": 2, "shapes": [{"sphere": {"radius": 1}}],
          "forces": [{"from": 0.5, "to": 0.75, "force": [8, 0, 0]}]}]})");
  const std::vector<Frame> frames = framesOf(scene);
  EXPECT_EQ(frames[50].bodies[0].linearVelocity.x, 0.0);
  EXPECT_NEAR(frames.back().bodies[0].linearVelocity.x, 1.0, 1e-7);
}

TEST(VariableRun, CompliantTouchIsAnEventAndTheRestitutionComesOut) {
  if (!kHasCvode) GTEST_SKIP() << "built without CVODE";
  const Scene scene = parse(dropped(kCompliant));
  std::vector<EventFrame> events;
  const std::vector<Frame> frames = framesOf(scene);
  for (const Frame& frame : frames)
    events.insert(events.end(), frame.events.begin(), frame.events.end());
  ASSERT_GE(events.size(), 2u);
  EXPECT_EQ(events[0].kind, EventKind::Begin);
  EXPECT_NEAR(events[0].time, std::sqrt(2 / 9.81), 1e-6);
  const EnergyAccount& e = frames.back().totalEnergy;
  const double fall = 9.81 * 4.0 / 3.0 * 3.14159265358979323846;
  // The weight presses while they touch, over half a millimetre: some thousandths of the whole.
  EXPECT_NEAR(e.residual(), -(1 - 0.64) * fall, 5e-3 * fall);
}

TEST(VariableRun, SaysWhatIsMissingWithoutCvode) {
  if (kHasCvode) GTEST_SKIP() << "built with CVODE";
  const Scene scene = parse(dropped(kCompliant));
  try {
    (void)startRun(scene);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("libsundials-dev"), std::string::npos);
  }
}

TEST(VariableRun, FramesSurviveTheRecording) {
  for (const Frame& frame : framesOf(parse(dropped(kImpacts)))) {
    Frame copy;
    decodeFrame(encode(frame), copy);
    EXPECT_EQ(encode(copy), encode(frame));
  }
}

TEST(FirstFrame, HoldsTheEnergyOfTheBeginning) {
  // 4.18879 kg at 1.1 m, with 3 m/s and a spin of 2 rad/s about z: I = 0.4 m r^2.
  for (const std::string& step : {kImpacts, std::string("0.01")}) {
    const Scene scene =
        parse(dropped(step, R"(, "linearVelocity": [3, 0, 0], "angularVelocity": [0, 0, 2])"));
    const std::unique_ptr<SceneRun> run = startRun(scene);
    Frame first, second;
    run->capture(first);
    const double mass = 4.0 / 3.0 * 3.14159265358979323846;
    EXPECT_NEAR(first.totalEnergy.kineticAfter, 0.5 * mass * (9 + 0.4 * 0.01 * 4), 1e-12);
    EXPECT_NEAR(first.totalEnergy.potentialAfter, mass * 9.81 * 1.1, 1e-12);
    ASSERT_TRUE(run->advance());
    run->capture(second);
    EXPECT_NEAR(second.totalEnergy.kineticBefore, first.totalEnergy.kineticAfter, 1e-12);
    EXPECT_NEAR(second.totalEnergy.potentialBefore, first.totalEnergy.potentialAfter, 1e-12);
  }
}

TEST(VariableScene, WhatItCannotDoIsRefused) {
  const auto refuses = [](const std::string& text, const std::string& place,
                          const std::string& because) {
    const std::string fault = faultOf(text);
    EXPECT_NE(fault.find(place), std::string::npos) << fault << "\n" << text;
    EXPECT_NE(fault.find(because), std::string::npos) << fault << "\n" << text;
  };
  const std::string force = R"(, "forces": [{"force": [1, 0, 0]}])";
  const std::string turned = R"(, "forces": [{"force": [1, 0, 0], "frame": "body"}])";
  const std::string moved = R"(, "type": "kinematic", "motion": {"path": [{"time": 0}]})";
  refuses(dropped(kImpacts, force), "/bodies/1/forces", "no forces but gravity");
  refuses(dropped(kCompliant, turned), "/bodies/1/forces/0/frame", "use \"world\"");
  refuses(dropped(kImpacts, moved), "/bodies/1/motion", "constant velocity only");
  refuses(dropped(kCompliant, moved), "/bodies/1/motion", "constant velocity only");
  refuses(dropped(kImpacts, "", R"("record": {"every": 2}, )"), "/record/every", "\"interval\"");
  refuses(dropped("0.01", "", R"("record": {"interval": 2}, )"), "/record/interval", "\"every\"");
  refuses(dropped(kImpacts, "", R"("limits": {"energy": 2}, )"), "/limits/energy", "no ledger");
  refuses(dropped(kCompliant, "", R"("limits": {"residual": 2}, )"), "/limits", "Remove it");
  refuses(dropped(kCompliant, "", R"("solver": {"sweeps": 2}, )"), "/solver", "no solver");
  refuses(dropped(kImpacts, "", R"("solver": {"scheme": "realTime"}, )"), "/solver/scheme",
          "only a fixed step");
  refuses(dropped(R"({"variable": "impact"})"), "/step/variable", "impacts");
  refuses(dropped("{}"), "/step", "\"impacts\" or \"compliant\"");
  refuses(dropped(R"({"variable": "impacts", "method": "bdf"})"), "/step", "method");
  std::string resisting = dropped(kImpacts);
  resisting.replace(resisting.find("\"friction\": 0.5"), 15, "\"rollingResistance\": 0.1");
  refuses(resisting, "/materials/m/rollingResistance", "no such resistance");
  const std::string pair = R"("pairs": [{"materials": ["m", "m"], "rollingResistance": 0.1}], )";
  refuses(dropped(kImpacts, "", pair), "/pairs/0/rollingResistance", "no such resistance");
  EXPECT_EQ(faultOf(dropped(kCompliant, "", pair)), "");
}

}  // namespace
}  // namespace abut::io
