// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include <abut/dynamics/material_fields.hpp>
#include <abut/state/option_list.hpp>

#include "io/core/json.hpp"
#include "io/core/text.hpp"
#include "io/scene/scene.hpp"

namespace abut::io {
namespace {

const JsonValue* find(const JsonValue& object, std::string_view key) {
  for (const JsonMember& m : object.members())
    if (m.key == key) return &m.value;
  return nullptr;
}

/// Follows "a/b/c" from the root of the schema.
const JsonValue& follow(const JsonValue& root, const std::string& path) {
  const JsonValue* at = &root;
  for (std::size_t first = 0; first < path.size();) {
    const std::size_t end = std::min(path.find('/', first), path.size());
    at = find(*at, path.substr(first, end - first));
    if (at == nullptr) throw InputError("no " + path + " in the schema");
    first = end + 1;
  }
  return *at;
}

std::set<std::string> keysOf(const JsonValue& definition) {
  std::set<std::string> keys;
  for (const JsonMember& m : follow(definition, "properties").members()) keys.insert(m.key);
  return keys;
}

/// The keys that the reader allows where the text has the key "zz".
std::set<std::string> allowedIn(const std::string& text) {
  std::string message;
  try {
    (void)parseScene(text, "s", MemoryAssets(std::map<std::string, std::string>{}), readRobotFile);
  } catch (const InputError& error) {
    message = error.what();
  }
  constexpr std::string_view kBefore = "(allowed: ";
  const std::size_t start = message.find(kBefore);
  EXPECT_NE(start, std::string::npos) << text << message;
  EXPECT_NE(message.find("zz"), std::string::npos) << message;
  std::set<std::string> keys;
  std::string word;
  for (const char c : message.substr(std::min(start + kBefore.size(), message.size()))) {
    if (c == ',' || c == ')') {
      keys.insert(word);
      word.clear();
    } else if (c != ' ') {
      word += c;
    }
  }
  return keys;
}

TEST(Schema, HasExactlyTheKeysThatTheReaderTakes) {
  const JsonValue schema = parseJson(
      readFile(std::string(ABUT_SOURCE_DIR) + "/docs/scene.schema.json", 1 << 20), "schema");
  const auto top = [](const std::string& rest) {
    return R"({"step": 0.1, "duration": 1, )" + rest + "}";
  };
  const auto body = [&](const std::string& rest) {
    return top(R"("bodies": [{"name": "a", )" + rest + "}]");
  };
  const auto shape = [&](const std::string& rest) {
    return body(R"("type": "static", "shapes": [{)" + rest + "}]");
  };
  const auto joint = [&](const std::string& rest) {
    return top(R"("bodies": [{"name": "a", "shapes": [{"sphere": {"radius": 1}}]}], )"
               R"("joints": [{"name": "j", "body2": "a", )" +
               rest + "}]");
  };
  const std::string hinge = R"("frame": {}, )";
  const std::string ball = R"("shapes": [{"sphere": {"radius": 1}}], )";
  const std::string moving = R"("type": "kinematic", )" + ball;
  const std::pair<std::string, std::string> places[] = {
      {"", R"({"zz": 0})"},
      {"$defs/impactStep", R"({"step": {"variable": "impacts", "zz": 0}})"},
      {"$defs/compliantStep", R"({"step": {"variable": "compliant", "zz": 0}})"},
      {"$defs/solver", top(R"("solver": {"zz": 0})")},
      {"$defs/record", top(R"("record": {"zz": 0})")},
      {"$defs/limits", top(R"("limits": {"zz": 0})")},
      {"$defs/material", top(R"("materials": {"m": {"zz": 0}})")},
      {"$defs/pair", top(R"("pairs": [{"zz": 0}])")},
      {"$defs/body", body(R"("zz": 0)")},
      {"$defs/joint", joint(R"("zz": 0)")},
      {"$defs/axis", joint(hinge + R"("type": "ball", "axes": [{"zz": 0}])")},
      {"$defs/drive", joint(hinge + R"("type": "hinge", "drive": {"zz": 0})")},
      {"$defs/driveTarget",
       joint(hinge + R"("type": "hinge", "drive": {"mode": "speed", "targets": [{"zz": 0}]})")},
      {"$defs/frame", joint(R"("type": "hinge", "frame": {"zz": 0})")},
      {"$defs/jointRepeat", joint(hinge + R"("type": "hinge", "repeat": {"zz": 0})")},
      {"$defs/robot", top(R"("robots": [{"zz": 0}])")},
      {"$defs/coupling",
       top(R"("bodies": [{"name": "a", "shapes": [{"sphere": {"radius": 1}}]}], "couplings": [{"zz": 0}])")},
      {"$defs/filter", body(R"("filter": {"zz": 0})")},
      {"$defs/shape", shape(R"("zz": 0)")},
      {"$defs/part", shape(R"("compound": {"shapes": [{"zz": 0}]})")},
      {"$defs/repeat", body(ball + R"("repeat": {"zz": 0})")},
      {"$defs/turn", body(ball + R"("repeat": {"count": 2, "turn": {"zz": 0}})")},
      {"$defs/force", body(ball + R"("forces": [{"zz": 0}])")},
      {"$defs/keyedMotion", body(moving + R"("motion": {"keys": [], "zz": 0})")},
      {"$defs/key", body(moving + R"("motion": {"keys": [{"zz": 0}]})")},
      {"$defs/pathMotion", body(moving + R"("motion": {"path": [], "zz": 0})")},
      {"$defs/waypoint", body(moving + R"("motion": {"path": [{"zz": 0}]})")},
      {"$defs/oscillatingMotion", body(moving + R"("motion": {"oscillation": {}, "zz": 0})")},
      {"$defs/oscillation", body(moving + R"("motion": {"oscillation": {"zz": 0}})")},
  };
  for (const auto& [path, text] : places)
    EXPECT_EQ(keysOf(follow(schema, path)), allowedIn(text)) << path;
  for (const char* kind : {"sphere", "box", "capsule", "cylinder", "cone", "plane", "hull", "mesh",
                           "heightField", "cloud", "compound"}) {
    EXPECT_EQ(keysOf(follow(schema, concat("$defs/shape/properties/", kind))),
              allowedIn(shape(concat("\"", kind, "\": {\"zz\": 0}"))))
        << kind;
  }
}

/// A number of the schema, as a text for messages if there is none.
std::string numberIn(const JsonValue& property, std::string_view key) {
  const JsonValue* value = find(property, key);
  if (value == nullptr) return concat("no ", key);
  return value->kind == JsonValue::Kind::Number ? toText(value->number) : "no number";
}

TEST(Schema, HasTheLibrarysRangesAndDefaults) {
  const JsonValue schema = parseJson(
      readFile(std::string(ABUT_SOURCE_DIR) + "/docs/scene.schema.json", 1 << 20), "schema");
  const auto compare = [&](const std::string& definition, bool defaults) {
    return [&schema, definition, defaults](const OptionInfo& info, const auto& value) {
      using T = std::remove_cvref_t<decltype(value)>;
      if (info.key == "gravity") return;
      const JsonValue& p = follow(schema, concat("$defs/", definition, "/properties/", info.key));
      if constexpr (std::is_same_v<T, double> || std::is_same_v<T, int>) {
        EXPECT_EQ(numberIn(p, "minimum"), toText(info.min)) << info.key;
        EXPECT_EQ(numberIn(p, "maximum"), toText(info.max)) << info.key;
        if (defaults) {
          EXPECT_EQ(numberIn(p, "default"), toText(static_cast<double>(value))) << info.key;
        }
      } else if constexpr (std::is_enum_v<T>) {
        for (const std::string_view word : info.words) {
          bool known = word.empty();
          for (const JsonValue& choice : follow(p, "enum").items())
            known = known || choice.text() == word;
          EXPECT_TRUE(known) << info.key << " " << word;
        }
      }
    };
  };
  const WorldOptions options;
  forEachOption(options, compare("solver", true));
  const Material material;
  forEachField(material, compare("material", true));
  const PairMaterial pair;
  forEachField(pair, compare("pair", false));
}

TEST(Scene, TakesWhatTheLibraryTakes) {
  // Both ends of each range are read and make a world; the next double beyond is refused.
  const auto scene = [](const std::string& rest) {
    return R"({"step": 1e-12, "duration": 0, )" + rest +
           R"(, "bodies": [{"name": "a", "shapes": [{"sphere": {"radius": 1}}]}]})";
  };
  const auto accepts = [](const std::string& text) {
    try {
      const Scene read = parseScene(text, "s", MemoryAssets(std::map<std::string, std::string>{}));
      (void)buildWorld(read);
      return true;
    } catch (const InputError&) {
      return false;
    }
  };
  const auto tryEnds = [&](const OptionInfo& info, const auto& value, const std::string& before,
                           const std::string& after) {
    using T = std::remove_cvref_t<decltype(value)>;
    if constexpr (std::is_same_v<T, double> || std::is_same_v<T, int>) {
      const auto given = [&](double x) {
        return accepts(scene(before + concat("\"", info.key, "\": ", x) + after));
      };
      constexpr double kHuge = 1e300;
      const double beyond = std::is_same_v<T, int> ? info.max + 1 : std::nextafter(info.max, kHuge);
      const double below = std::is_same_v<T, int> ? info.min - 1 : std::nextafter(info.min, -kHuge);
      EXPECT_TRUE(given(info.min)) << info.key << " " << info.min;
      EXPECT_TRUE(given(info.max)) << info.key << " " << info.max;
      EXPECT_FALSE(given(beyond)) << info.key << " " << beyond;
      EXPECT_FALSE(given(below)) << info.key << " " << below;
    }
  };
  const WorldOptions options;
  forEachOption(options, [&](const OptionInfo& info, const auto& value) {
    tryEnds(info, value, R"("solver": {)", "}");
  });
  const Material material;
  forEachField(material, [&](const OptionInfo& info, double value) {
    tryEnds(info, value, R"("materials": {"m": {)", "}}");
  });
}

TEST(Schema, DocumentationNamesEveryKey) {
  const std::string text = readFile(std::string(ABUT_SOURCE_DIR) + "/docs/scene.md", 1 << 20);
  const JsonValue schema = parseJson(
      readFile(std::string(ABUT_SOURCE_DIR) + "/docs/scene.schema.json", 1 << 20), "schema");
  std::vector<const JsonValue*> definitions = {&schema};
  for (const JsonMember& m : follow(schema, "$defs").members())
    if (find(m.value, "properties") != nullptr) definitions.push_back(&m.value);
  for (const JsonValue* d : definitions) {
    for (const std::string& key : keysOf(*d)) {
      EXPECT_TRUE(text.find("`" + key + "`") != std::string::npos ||
                  text.find("." + key + "`") != std::string::npos ||
                  text.find("\"" + key + "\"") != std::string::npos)
          << key;
    }
  }
}

}  // namespace
}  // namespace abut::io
