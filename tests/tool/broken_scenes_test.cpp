// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include <gtest/gtest.h>

#include "io/core/text.hpp"
#include "tool/process.hpp"

namespace abut::test {
namespace {

/// A sound scene that uses most keys; the broken ones differ from it in one place.
const std::string kSound = R"({
  "name": "sound", "description": "text", "gravity": [0, 0, -9.81], "step": 0.01, "duration": 0.05,
  "solver": { "sweeps": 50, "tolerance": 1e-12, "direct": true, "detectionMargin": 0.02,
    "speculative": true, "correctionSlop": 1e-6, "correctionShare": 0.2, "maxStep": 0.5,
    "substeps": 2, "sleeping": true, "sleepAfter": 0.5, "sleepSpeed": 0.01 },
  "record": { "every": 2, "contacts": true },
  "limits": { "residual": 1e-3, "energy": 1e-6 },
  "materials": { "steel": { "friction": 0.3, "restitution": 0.1, "density": 7850 }, "ice": {} },
  "pairs": [{ "materials": ["steel", "ice"], "friction": 0.01 }],
  "bodies": [
    { "name": "ground", "type": "static", "shapes": [{ "plane": { "normal": [0, 0, 1] }, "material": "ice" }] },
    { "name": "crate", "position": [0, 0, 0.5], "rollPitchYawDegrees": [0, 0, 45], "linearVelocity": [0, 0, 0],
      "lock": ["rotationX"], "mass": 2, "inertia": [0.3, 0.3, 0.3], "gravityScale": 1, "repeat": { "count": 2, "step": [0, 3, 0] },
      "forces": [{ "from": 0, "to": 1, "force": [1, 0, 0], "frame": "body" }],
      "shapes": [{ "box": { "size": [1, 1, 1] }, "material": "steel", "position": [0, 0, 0] }] },
    { "name": "shaker", "type": "kinematic", "position": [9, 0, 0], "orientation": [1, 0, 0, 0],
      "motion": { "oscillation": { "amplitude": [0, 0, 0.01], "frequency": 5 } },
      "shapes": [{ "capsule": { "radius": 0.2, "length": 1, "axis": "x" } }] },
    { "name": "pusher", "type": "kinematic", "position": [-9, 0, 0],
      "motion": { "interpolation": "linear", "keys": [{ "time": 0 }, { "time": 1, "linearVelocity": [1, 0, 0] }] },
      "shapes": [{ "cylinder": { "radius": 0.2, "height": 1 } }] },
    { "name": "lift", "type": "kinematic", "position": [-20, 0, 0],
      "motion": { "interpolation": "smooth", "path": [{ "time": 0.5 }, { "time": 2, "position": [-20, 0, 3], "rollPitchYawDegrees": [0, 0, 90] }] },
      "shapes": [{ "box": { "size": [2, 2, 0.1] } }] },
    { "name": "part", "position": [20, 0, 5], "shapes": [{ "mesh": { "file": "part.obj", "scale": 0.5 } }] },
    { "name": "rock", "position": [30, 0, 5], "shapes": [{ "hull": { "points": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]] } }] },
    { "name": "hill", "type": "static", "position": [40, 0, 0],
      "shapes": [{ "heightField": { "spacing": [1, 1], "heights": [[0, 0.5], [0, 1]] } }] }
  ]
})";

const std::string kPart =
    "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

/// Time that a refusal may take [s]; sanitizers make everything slower.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
constexpr double kLongest = 10.0;
#else
constexpr double kLongest = 1.0;
#endif
#else
constexpr double kLongest = 1.0;
#endif

struct Broken {
  std::string what, text;
};

std::string replaced(const std::string& from, const std::string& to) {
  std::string text = kSound;
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

/// A value of the sound scene, and values that it must not be.
struct Place {
  const char *key, *value;
  std::vector<const char*> wrong;
};

/// Of the run, its options and materials.
std::vector<Place> placesOfRun() {
  return {
      {"\"gravity\": ", "[0, 0, -9.81]", {"[0, 0]", "9.81", "[0, 0, 1e13]", "[0, 0, null]"}},
      {"\"step\": ", "0.01", {"0", "-0.01", "2", "\"fast\"", "1e-300", "null", "0.01s", "01"}},
      {"\"duration\": ", "0.05", {"-1", "1e300", "\"long\"", "[1]", "Infinity"}},
      {"\"sweeps\": ", "50", {"0", "1.5", "-3", "1e12", "\"all\"", "true"}},
      {"\"tolerance\": ", "1e-12", {"-1", "2", "\"x\""}},
      {"\"direct\": ", "true", {"1", "\"yes\"", "null", "True"}},
      {"\"detectionMargin\": ", "0.02", {"-0.1", "1e9", "false"}},
      {"\"correctionShare\": ", "0.2", {"1.5", "-0.2", "[]"}},
      {"\"substeps\": ", "2", {"0", "-1", "1.5", "1001", "true"}},
      {"\"sleeping\": ", "true", {"1", "null", "\"yes\""}},
      {"\"sleepAfter\": ", "0.5", {"0", "-1", "[]"}},
      {"\"sleepSpeed\": ", "0.01", {"-0.1", "2", "{}"}},
      {"\"maxStep\": ", "0.5", {"0", "0.001", "-1"}},
      {"\"every\": ", "2", {"0", "0.5", "-1", "1e18", "\"2\""}},
      {"\"contacts\": ", "true", {"\"true\"", "0"}},
      {"\"residual\": ", "1e-3", {"-1", "{}"}},
      {"\"friction\": ", "0.3", {"-0.1", "\"rough\"", "1e300"}},
      {"\"restitution\": ", "0.1", {"1.1", "-0.1", "[0.1]"}},
      {"\"density\": ", "7850", {"0", "-7850", "1e30", "null"}},
      {"\"materials\": ",
       "[\"steel\", \"ice\"]",
       {"[\"steel\"]", "[\"steel\", \"wood\"]", "\"steel\"", "[1, 2]"}},
  };
}

/// Of bodies.
std::vector<Place> placesOfBodies() {
  return {
      {"\"type\": ", "\"static\"", {"\"statik\"", "0", "\"\""}},
      {"\"normal\": ", "[0, 0, 1]", {"[0, 0, 0]", "[1]", "\"up\""}},
      {"\"material\": ", "\"steel\"", {"\"stele\"", "7", "{\"friction\": 1}"}},
      {"\"position\": ", "[0, 0, 0.5]", {"[0, 0]", "[0, 0, 1e30]", "\"origin\"", "[0, [0], 1]"}},
      {"\"rollPitchYawDegrees\": ", "[0, 0, 45]", {"45", "[0, 0, 1e300]", "[]"}},
      {"\"orientation\": ",
       "[1, 0, 0, 0]",
       {"[0, 0, 0, 0]", "[1, 1, 0, 0]", "[1, 0, 0]", "[\"w\", 0, 0, 0]"}},
      {"\"linearVelocity\": ", "[0, 0, 0]", {"[1e30, 0, 0]", "5", "[0, 0, true]"}},
      {"\"lock\": ", "[\"rotationX\"]", {"[\"rx\"]", "\"x\"", "[1]", "{}"}},
      {"\"mass\": ", "2", {"0", "-2", "1e300", "\"heavy\"", "2, \"mass\": 3"}},
      {"\"inertia\": ", "[0.3, 0.3, 0.3]", {"[1, 1, 9]", "[0, 0, 0]", "[-1, 1, 1]", "1"}},
      {"\"count\": ", "2", {"0", "-1", "1e9", "2.5", "\"two\"", "99999999999999999999"}},
      {"\"step\": ", "[0, 3, 0]", {"3", "[0, 3]", "[1e300, 0, 0]"}},
      {"\"to\": ", "1", {"-1", "0", "\"end\""}},
      {"\"force\": ", "[1, 0, 0]", {"1", "[1e300, 0, 0]", "[]"}},
      {"\"frame\": ", "\"body\"", {"\"local\"", "1"}},
      {"\"size\": ",
       "[1, 1, 1]",
       {"[1, -2, 1]", "[1, 1]", "[0, 1, 1]", "[1, 1, 1e9]", "[1, 1, 1e-9]", "1"}},
  };
}

/// Of motion and shapes.
std::vector<Place> placesOfMotion() {
  return {
      {"\"amplitude\": ", "[0, 0, 0.01]", {"0.01", "[1e9, 0, 0]"}},
      {"\"frequency\": ", "5", {"0", "-5", "1e300"}},
      {"\"radius\": ", "0.2", {"0", "-0.2", "1e30", "1e-30", "\"big\""}},
      {"\"axis\": ", "\"x\"", {"\"X\"", "[1, 0, 0]", "1"}},
      {"\"interpolation\": ", "\"linear\"", {"\"cubic\"", "1"}},
      {"\"time\": ", "1", {"-1", "0", "\"now\""}},
      {"\"interpolation\": ", "\"smooth\"", {"\"hold\"", "true"}},
      {"\"time\": ", "0.5", {"-1", "2", "3", "\"soon\""}},
      {"\"position\": ", "[-20, 0, 3]", {"[0, 0]", "[0, 0, 1e30]", "3"}},
      {"\"rollPitchYawDegrees\": ", "[0, 0, 90]", {"90", "[0, 0, null]"}},
      {"\"scale\": ", "0.5", {"0", "-1", "\"mm\"", "1e300"}},
      {"\"file\": ",
       "\"part.obj\"",
       {"\"../part.obj\"", "\"/etc/hosts\"", "\"missing.obj\"", "\"part.step\"", "\"\"",
        "\"link.obj\"", "\"a/../../part.obj\"", "\"file:///part.obj\"", "\"part.obj\\u0000\"",
        "\"..\\\\part.obj\"", "\"sub\"", "\"bad.obj\"", "\"bad.stl\"", "\"nan.obj\"",
        "\"pipe.obj\"", "7"}},
      {"\"points\": ",
       "[[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]",
       {"[[0, 0, 0], [1, 0, 0], [0, 1, 0]]", "[[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]",
        "[[0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0]]", "[[0, 0], [1, 0], [0, 1], [0, 0]]", "[]",
        "{}"}},
      {"\"heights\": ",
       "[[0, 0.5], [0, 1]]",
       {"[[0, 0.5], [0]]", "[[0, 0.5]]", "[[1e30, 0], [0, 0]]", "0"}},
      {"\"spacing\": ", "[1, 1]", {"1", "[0, 1]", "[1, 1, 1]"}},
  };
}

/// Every value of the sound scene, in turn, becomes values that it must not be.
std::vector<Broken> wrongValues() {
  const std::vector<const char*> kNoNumber = {"null", "\"5\"", "[1]", "{}", "1e999", "NaN"};
  const std::vector<const char*> kNoVector = {"[1, 2]", "[0, 0, \"x\"]", "7", "[1, 2, 3, 4]", "{}"};
  std::vector<Place> places;
  for (const auto& part : {placesOfRun(), placesOfBodies(), placesOfMotion()}) {
    places.insert(places.end(), part.begin(), part.end());
  }
  std::vector<Broken> list;
  for (const Place& place : places) {
    const std::string key = place.key, from = key + place.value;
    for (const char* wrong : place.wrong)
      list.push_back({key + wrong, replaced(from, key + wrong)});
  }
  for (const char* wrong : kNoNumber)
    list.push_back({wrong, replaced("\"length\": 1", std::string("\"length\": ") + wrong)});
  for (const char* wrong : kNoVector) list.push_back({wrong, replaced("[0, 0, -9.81]", wrong)});
  return list;
}

std::string withBodies(const std::string& list) {
  return R"({"step": 0.01, "duration": 1, "bodies": [)" + list + "]}";
}

/// A ball with more keys.
std::string ball(const std::string& more) {
  return withBodies(R"({"name": "a", "shapes": [{"sphere": {"radius": 1}}])" + more + "}");
}

/// Texts that are no JSON, or too much of it.
std::vector<Broken> brokenTexts() {
  std::string manyBodies, manyKeys = "{";
  for (int i = 0; i < 20; ++i) {
    manyBodies += io::concat(
        i > 0 ? "," : "", R"({"name": "b)", i,
        R"(", "shapes": [{"sphere": {"radius": 1}}], "repeat": [{"count": 100, "step": [3, 0, 0]}, )",
        R"({"count": 100, "step": [0, 3, 0]}]})");
  }
  for (int i = 0; i < 100000; ++i) manyKeys += io::concat("\"k", i, "\": 0, ");
  manyKeys += "\"last\": 0}";
  return {
      {"empty", ""},
      {"space", " \n\n "},
      {"null", "null"},
      {"number", "5"},
      {"list", "[]"},
      {"text", "\"scene\""},
      {"no bodies", "{}"},
      {"bodies empty", withBodies("")},
      {"bodies no list", R"({"step": 0.01, "duration": 1, "bodies": {}})"},
      {"cut", kSound.substr(0, kSound.size() / 2)},
      {"cut in a word", kSound.substr(0, kSound.find("true") + 2)},
      {"cut in a text", kSound.substr(0, kSound.find("ground") + 3)},
      {"one bracket too many", kSound + "}"},
      {"two values", "{} {}"},
      {"comment", "// scene\n" + kSound},
      {"hash comment", "# scene\n" + kSound},
      {"trailing comma in a list", replaced("[0, 0, -9.81]", "[0, 0, -9.81,]")},
      {"trailing comma in an object", replaced("\"ice\": {} }", "\"ice\": {}, }")},
      {"single quotes", replaced("\"sound\"", "'sound'")},
      {"key without quotes", replaced("\"gravity\"", "gravity")},
      {"no colon", replaced("\"gravity\": ", "\"gravity\" ")},
      {"no comma", replaced("\"step\": 0.01, ", "\"step\": 0.01 ")},
      {"byte order mark", "\xef\xbb\xbf" + kSound},
      {"UTF-16", std::string("\xff\xfe{\0}\0", 6)},
      {"broken UTF-8", replaced("sound", "so\xffund")},
      {"overlong UTF-8", replaced("sound", "so\xc0\xafund")},
      {"surrogate in UTF-8", replaced("sound", "so\xed\xa0\x80und")},
      {"half a surrogate pair", replaced("sound", "so\\ud800und")},
      {"unknown escape", replaced("sound", "so\\xund")},
      {"newline in a text", replaced("sound", "so\nund")},
      {"tab in a text", replaced("sound", "so\tund")},
      {"NUL in the file", std::string("{\0}", 3)},
      {"hexadecimal number", replaced("0.05", "0x10")},
      {"plus sign", replaced("0.05", "+1")},
      {"point without digits", replaced("0.05", "1.")},
      {"point first", replaced("0.05", ".5")},
      {"exponent without digits", replaced("0.05", "1e")},
      {"minus alone", replaced("0.05", "-")},
      {"huge exponent", replaced("0.05", "1e99999999999")},
      {"deep lists", std::string(100000, '[')},
      {"deep objects",
       [] {
         std::string s;
         for (int i = 0; i < 100000; ++i) s += "{\"a\":";
         return s;
       }()},
      {"deep and closed", std::string(100, '[') + std::string(100, ']')},
      {"many values",
       [] {
         std::string s = "[";
         for (int i = 0; i < 2'100'000; ++i) s += "0,";
         return s;
       }()},
      {"long text", "{\"name\": \"" + std::string(1 << 20, 'x') + "\"}"},
      {"large file", std::string(std::size_t{33} << 20, ' ')},
      {"many keys", manyKeys},
      {"many bodies", withBodies(manyBodies)},
  };
}

/// Keys, names and shapes.
std::vector<Broken> brokenParts() {
  std::string deepCompound, deepCompoundEnd;
  for (int i = 0; i < 30; ++i) {
    deepCompound += R"({"compound": {"shapes": [)";
    deepCompoundEnd += "]}}";
  }
  return {
      {"key twice", replaced("\"description\"", "\"name\"")},
      {"body key twice", ball(R"(, "mass": 1, "mass": 1)")},
      {"unknown key", replaced("\"gravity\"", "\"gravitation\"")},
      {"unknown key, HTML", replaced("\"gravity\"", "\"<script>alert(1)</script>\"")},
      {"unknown body key", ball(R"(, "colour": "red")")},
      {"unknown solver key", replaced("\"sweeps\"", "\"itterations\"")},
      {"no step", replaced("\"step\": 0.01, ", "")},
      {"no duration", replaced(", \"duration\": 0.05", "")},
      {"no name", withBodies(R"({"shapes": [{"sphere": {"radius": 1}}]})")},
      {"empty name", withBodies(R"({"name": "", "shapes": [{"sphere": {"radius": 1}}]})")},
      {"long name", withBodies("{\"name\": \"" + std::string(200, 'n') +
                               R"(", "shapes": [{"sphere": {"radius": 1}}]})")},
      {"newline in a name",
       withBodies(R"({"name": "a\nb", "shapes": [{"sphere": {"radius": 1}}]})")},
      {"escape sequence in a name",
       withBodies(R"({"name": "\u001b[2J", "shapes": [{"sphere": {"radius": 1}}]})")},
      {"no shapes", withBodies(R"({"name": "a"})")},
      {"shapes empty", withBodies(R"({"name": "a", "shapes": []})")},
      {"two shapes in one",
       withBodies(
           R"({"name": "a", "shapes": [{"sphere": {"radius": 1}, "box": {"size": [1, 1, 1]}}]})")},
      {"no shape in an entry", withBodies(R"({"name": "a", "shapes": [{"position": [0, 0, 0]}]})")},
      {"unknown shape", withBodies(R"({"name": "a", "shapes": [{"torus": {"radius": 1}}]})")},
      {"shape of another's keys",
       withBodies(R"({"name": "a", "shapes": [{"sphere": {"size": [1, 1, 1]}}]})")},
      {"same name twice",
       withBodies(
           R"({"name": "a", "shapes": [{"sphere": {"radius": 1}}]}, {"name": "a", "shapes": [{"sphere": {"radius": 1}}]})")},
      {"HTML name twice",
       withBodies(
           R"({"name": "<b>", "shapes": [{"sphere": {"radius": 1}}]}, {"name": "<b>", "shapes": [{"sphere": {"radius": 1}}]})")},
      {"name of a copy", replaced("\"name\": \"part\"", "\"name\": \"crate[1]\"")},
      {"moving plane",
       withBodies(R"({"name": "a", "shapes": [{"plane": {"normal": [0, 0, 1]}}]})")},
      {"moving height field",
       replaced("\"name\": \"hill\", \"type\": \"static\"", "\"name\": \"hill\"")},
      {"open mesh without mass",
       withBodies(
           R"({"name": "a", "shapes": [{"mesh": {"vertices": [[0,0,0],[1,0,0],[0,1,0]], "triangles": [[0,1,2]]}}]})")},
      {"index beyond the vertices",
       withBodies(
           R"({"name": "a", "type": "static", "shapes": [{"mesh": {"vertices": [[0,0,0],[1,0,0],[0,1,0]], "triangles": [[0,1,3]]}}]})")},
      {"triangle without area",
       withBodies(
           R"({"name": "a", "type": "static", "shapes": [{"mesh": {"vertices": [[0,0,0],[1,0,0],[0,1,0]], "triangles": [[0,1,1]]}}]})")},
      {"plane in a compound",
       withBodies(
           R"({"name": "a", "shapes": [{"compound": {"shapes": [{"plane": {"normal": [0, 0, 1]}}]}}]})")},
      {"compound in itself, deep",
       withBodies(R"({"name": "a", "shapes": [)" + deepCompound + R"({"sphere": {"radius": 1}})" +
                  deepCompoundEnd + "]}")},
  };
}

/// What does not go together.
std::vector<Broken> brokenMeanings() {
  return {
      {"two orientations", ball(R"(, "orientation": [1, 0, 0, 0], "rollPitchYaw": [0, 0, 0])")},
      {"inertia without mass", ball(R"(, "inertia": [1, 1, 1])")},
      {"motion of a dynamic body", ball(R"(, "motion": {"keys": [{"time": 0}]})")},
      {"static body with a velocity",
       withBodies(
           R"({"name": "a", "type": "static", "linearVelocity": [1, 0, 0], "shapes": [{"sphere": {"radius": 1}}]})")},
      {"static body with a lock",
       withBodies(
           R"({"name": "a", "type": "static", "lock": ["x"], "shapes": [{"sphere": {"radius": 1}}]})")},
      {"motion and a velocity",
       replaced("\"position\": [-20, 0, 0],", "\"linearVelocity\": [1, 0, 0],")},
      {"path that begins elsewhere",
       replaced("{ \"time\": 0.5 }", "{ \"time\": 0.5, \"position\": [1, 0, 0] }")},
      {"whole turn between waypoints",
       replaced("{ \"time\": 0.5 }, { \"time\": 2, ",
                "{ \"time\": 0.5, \"rollPitchYawDegrees\": [0, 0, -270] }, { \"time\": 2, ")},
      {"path and keys", replaced("\"path\": [", "\"keys\": [{ \"time\": 0 }], \"path\": [")},
      {"empty path", replaced("\"path\": [", "\"path\": [], \"more\": [")},
      {"copies with too many parts", ball(R"(, "repeat": {"count": 100000, "step": [3, 0, 0]},
          "forces": [)" +
                                          [] {
                                            std::string s = R"({"force": [1, 0, 0]})";
                                            for (int i = 0; i < 30; ++i)
                                              s += R"(, {"force": [1, 0, 0]})";
                                            return s + "]";
                                          }())},
      {"variable step with fixed keys",
       replaced("\"step\": 0.01", R"("step": {"variable": "impacts"})")},
      {"unknown variable step", replaced("\"step\": 0.01", R"("step": {"variable": "adaptive"})")},
      {"variable step, empty", replaced("\"step\": 0.01", R"("step": {})")},
      {"variable step, unknown key",
       R"({"step": {"variable": "compliant", "rtol": 1e-6}, "duration": 1, "bodies": [)" +
           std::string(R"({"name": "a", "shapes": [{"sphere": {"radius": 1}}]}]})")},
      {"variable step, more frames than there is time",
       R"({"step": {"variable": "impacts"}, "duration": 1e9, "record": {"interval": 1e-9}, "bodies": [)" +
           std::string(R"({"name": "a", "shapes": [{"sphere": {"radius": 1}}]}]})")},
      {"keys out of order", replaced("{ \"time\": 0 }, ", "{ \"time\": 2 }, ")},
      {"force without force", ball(R"(, "forces": [{"from": 0}])")},
      {"grid in grid in grid",
       ball(
           R"(, "repeat": [{"count": 1000, "step": [1,0,0]}, {"count": 1000, "step": [1,0,0]}, {"count": 1000, "step": [1,0,0]}])")},
      {"countStep outermost",
       ball(R"(, "repeat": [{"count": 3, "countStep": 1, "step": [1,0,0]}])")},
      {"grid of nothing",
       ball(
           R"(, "repeat": [{"count": 90000, "step": [1,0,0]}, {"count": 90000, "step": [1,0,0]}, {"count": 1, "countStep": -1, "step": [1,0,0]}])")},
      {"repeat without step", ball(R"(, "repeat": {"count": 3})")},
      {"copies beyond all places",
       ball(R"(, "position": [9e8, 0, 0], "repeat": {"count": 100000, "step": [1e9, 0, 0]})")},
      {"pair twice", replaced("\"friction\": 0.01 }]",
                              "\"friction\": 0.01 }, { \"materials\": [\"ice\", \"steel\"] }]")},
      {"rolling resistance below zero", replaced("\"density\": 7850", "\"rollingResistance\": -1")},
  };
}

TEST(BrokenScenes, EachEndsAtOnceWithOneClearLineAndNothingWritten) {
  std::vector<Broken> all = wrongValues();
  for (const std::vector<Broken>& more : {brokenTexts(), brokenParts(), brokenMeanings()})
    all.insert(all.end(), more.begin(), more.end());
  ASSERT_GE(all.size(), 200u);
  const TemporaryFolder folder;
  folder.write("part.obj", kPart);
  folder.write("bad.obj", "v 0 0\nf 1 2 3\n");
  folder.write("nan.obj", "v 0 0 nan\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  folder.write("bad.stl", std::string(80, ' ') + "\xff\xff\xff\xff");
  folder.write("sub/inner.obj", kPart);
  ASSERT_EQ(::system(("ln -s /etc/hosts '" + folder.file("link.obj") + "' && mkfifo '" +
                      folder.file("pipe.obj") + "'")
                         .c_str()),
            0);
  folder.write("scene.json", kSound);
  const std::vector<std::string> before = folder.list();
  const Outcome sound = runTool(folder.get(), {"run", "scene.json"});
  ASSERT_EQ(sound.code, 0) << sound.err;
  double slowest = 0.0;
  for (const Broken& broken : all) {
    folder.write("scene.json", broken.text);
    const Outcome o = runTool(
        folder.get(), {"run", "scene.json", "--record", "out.abut", "--report", "out.html"});
    EXPECT_EQ(o.code, 2) << broken.what << ": " << o.err;
    EXPECT_EQ(o.out, "") << broken.what;
    EXPECT_EQ(o.err.rfind("scene.json:", 0), 0u) << broken.what << ": " << o.err;
    EXPECT_EQ(std::count(o.err.begin(), o.err.end(), '\n'), 1) << broken.what << ": " << o.err;
    EXPECT_LT(o.err.size(), 600u) << broken.what << ": " << o.err;
    for (const char c : o.err)
      EXPECT_TRUE(c == '\n' || static_cast<unsigned char>(c) >= 0x20) << broken.what;
    EXPECT_LT(o.computing, kLongest) << broken.what;
    slowest = std::max(slowest, o.computing);
    EXPECT_EQ(folder.list(), before) << broken.what;
    if (::getenv("ABUT_SHOW") != nullptr) std::fputs(o.err.c_str(), stdout);
  }
  std::printf("%zu broken scenes, slowest %.3f s\n", all.size(), slowest);
}

TEST(BrokenScenes, NamesLikeHtmlAreFineAndStayWhatTheyAre) {
  const TemporaryFolder folder;
  folder.write("scene.json",
               R"({"step": 0.01, "duration": 0.02, "bodies": [{"name": "<script>alert(1)</script>",
                   "shapes": [{"sphere": {"radius": 1}}]}]})");
  EXPECT_EQ(runTool(folder.get(), {"run", "scene.json"}).code, 0);
}

}  // namespace
}  // namespace abut::test
