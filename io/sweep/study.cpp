// SPDX-License-Identifier: MIT
#include "io/sweep/study.hpp"

#include <cmath>

#include "io/core/files.hpp"
#include "io/core/text.hpp"

namespace abut::inline v0_1::io {
namespace {

constexpr std::size_t kMostParameters = 64, kMostPlaces = 1000, kMostMeasures = 1000;
constexpr std::uint64_t kMostCases = 1'000'000, kMostValues = 4'000'000;

/// "/bodies/box/mass" in steps, ~1 and ~0 read as "/" and "~".
std::vector<std::string> readPath(const Node& node) {
  const std::string& text = node.text("a path in the scene, as \"/bodies/box/mass\"");
  if (text.empty() || text[0] != '/')
    node.failExpected("a path in the scene that begins with \"/\", as \"/bodies/box/mass\"");
  std::vector<std::string> steps;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '/') {
      steps.emplace_back();
    } else if (text[i] == '~' && i + 1 < text.size() &&
               (text[i + 1] == '0' || text[i + 1] == '1')) {
      steps.back() += text[++i] == '0' ? '~' : '/';
    } else {
      steps.back() += text[i];
    }
  }
  return steps;
}

/// The item of a list by its number, or by its name; its size if there is none.
std::size_t itemOf(const std::vector<JsonValue>& items, const std::string& step) {
  double number = 0.0;
  if (parseNumber(step, number) && number >= 0.0 && number < static_cast<double>(items.size()) &&
      std::floor(number) == number)
    return static_cast<std::size_t>(number);
  for (std::size_t i = 0; i < items.size(); ++i) {
    for (const JsonMember& m : items[i].members()) {
      if (m.key == "name" && m.value.kind == JsonValue::Kind::Text && m.value.text() == step)
        return i;
    }
  }
  return items.size();
}

/// The value with another at a place; what is not on the way is shared. A key that an object does
/// not have is added if it is the last step. False: there is no such place.
bool replace(JsonValue& at, const std::vector<std::string>& path, std::size_t step,
             const JsonValue& value) {
  if (step == path.size()) {
    at = value;
    return true;
  }
  if (at.kind != JsonValue::Kind::Array && at.kind != JsonValue::Kind::Object) return false;
  at.content = std::make_shared<JsonValue::Content>(*at.content);
  if (at.kind == JsonValue::Kind::Array) {
    const std::size_t i = itemOf(at.content->items, path[step]);
    return i < at.content->items.size() && replace(at.content->items[i], path, step + 1, value);
  }
  for (JsonMember& m : at.content->members) {
    if (m.key == path[step]) return replace(m.value, path, step + 1, value);
  }
  if (step + 1 < path.size()) return false;
  at.content->members.push_back({path[step], value.place, value});
  return true;
}

/// base^share for a share within [0, 1), by its binary digits: roots alone, whose bits are the same
/// everywhere.
double powerOf(double base, double share) {
  double out = 1.0;
  for (int i = 0; i < 60 && share > 0.0; ++i) {
    base = std::sqrt(base);
    share *= 2.0;
    if (share < 1.0) continue;
    out *= base;
    share -= 1.0;
  }
  return out;
}

std::vector<JsonValue> readRange(const Node& node) {
  const double from = node.require("from", "the first value").number("the first value");
  const double to = node.require("to", "the last value").number("the last value");
  const std::uint64_t count =
      node.require("count", "how many values").count("how many values", 1, kMostCases);
  const std::optional<Node> scale = node.find("scale");
  const bool isLog = scale && scale->oneOf({"linear", "logarithmic"}) == 1;
  if (isLog && !(from > 0.0 && to > 0.0))
    node.fail("a logarithmic scale needs values above 0 at both ends");
  if (isLog && !(to / from > 0.0 && std::isfinite(to / from)))
    node.fail("the ends of a logarithmic scale are too far from each other");
  std::vector<JsonValue> values(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i].kind = JsonValue::Kind::Number;
    const double share = count == 1 ? 0.0 : static_cast<double>(i) / static_cast<double>(count - 1);
    const double between =
        isLog ? from * powerOf(to / from, share) : from * (1.0 - share) + to * share;
    values[i].number = i + 1 == values.size() && count > 1 ? to : i == 0 ? from : between;
  }
  return values;
}

Parameter readParameter(const Node& node, const JsonValue& list, const JsonValue& scene) {
  node.allowKeys({"name", "at", "values", "from", "to", "count", "scale"});
  Parameter p;
  p.name = node.require("name", "the title of a column").text("the title of a column");
  const Node at = node.require("at", "a path in the scene, or several");
  if (at.isList()) {
    const std::size_t count = at.list("paths", 1, kMostPlaces);
    for (std::size_t i = 0; i < count; ++i) p.places.push_back(readPath(at.at(i)));
  } else {
    p.places.push_back(readPath(at));
  }
  if (const std::optional<Node> values = node.find("values")) {
    if (node.has("from") || node.has("to") || node.has("count") || node.has("scale"))
      node.fail("expected \"values\" or \"from\", \"to\" and \"count\", got both");
    (void)values->list("values", 1, static_cast<std::size_t>(kMostCases));
    for (const JsonMember& m : list.members()) {
      if (m.key == "values") p.values = m.value.items();
    }
  } else {
    p.values = readRange(node);
  }
  for (std::size_t i = 0; i < p.places.size(); ++i) {
    JsonValue trial = scene;
    if (replace(trial, p.places[i], 0, p.values[0])) continue;
    std::string path;
    for (const std::string& step : p.places[i]) path += pathStep(step);
    at.fail(concat("the scene has no place ", quoted(path, 200),
                   "; items of lists go by their number from 0, or by their \"name\""));
  }
  return p;
}

const JsonValue* memberOf(const JsonValue& object, std::string_view key) {
  for (const JsonMember& m : object.members()) {
    if (m.key == key) return &m.value;
  }
  return nullptr;
}

void readParameters(const Node& root, const JsonValue& json, Study& study) {
  const Node list = root.require("parameters", "a list of parameters");
  const std::size_t count = list.list("parameters", 1, kMostParameters);
  double cases = 1.0;
  std::size_t values = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const Node node = list.at(i);
    study.parameters.push_back(
        readParameter(node, memberOf(json, "parameters")->items()[i], study.scene));
    for (std::size_t k = 0; k < i; ++k) {
      if (study.parameters[k].name == study.parameters[i].name)
        node.fail("another parameter has this name; choose another");
    }
    if (study.together && study.parameters[i].values.size() != study.parameters[0].values.size())
      node.fail(concat("\"together\" needs as many values of each parameter: here are ",
                       study.parameters[i].values.size(), ", of the first ",
                       study.parameters[0].values.size()));
    // Before the values of the next are made.
    values += study.parameters[i].values.size();
    cases = study.together ? static_cast<double>(study.parameters[i].values.size())
                           : cases * static_cast<double>(study.parameters[i].values.size());
    if (cases > static_cast<double>(kMostCases))
      list.fail(concat("the study has ", cases, " cases; at most ", kMostCases, " are run"));
    if (values > kMostValues)
      list.fail(concat("the study has more than ", kMostValues, " values of parameters"));
  }
}

/// Of everything that the table depends on.
std::uint64_t digestOf(const std::string& text, const Study& study) {
  std::string all;
  const auto add = [&](std::string_view part) { all += concat(part.size(), ":", part, ";"); };
  add(ABUT_VERSION);
  add(text);
  add(study.sceneText);
  for (const auto& [name, content] : study.files) {
    add(name);
    add(content);
  }
  return idOfName(all);
}

}  // namespace

std::uint64_t Study::numCases() const {
  std::uint64_t cases = 1;
  for (const Parameter& p : parameters)
    cases = together ? p.values.size() : cases * p.values.size();
  return cases;
}

std::size_t Study::valueOf(std::uint64_t number, std::size_t parameter) const {
  if (together) return static_cast<std::size_t>(number);
  for (std::size_t i = parameters.size() - 1; i > parameter; --i)
    number /= parameters[i].values.size();
  return static_cast<std::size_t>(number % parameters[parameter].values.size());
}

std::string Study::describe(std::uint64_t number) const {
  std::string out;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    out += concat(i == 0 ? "" : ", ", parameters[i].name, " ",
                  show(parameters[i].values[valueOf(number, i)]));
  }
  return out;
}

Scene Study::sceneOf(std::uint64_t number) const {
  JsonValue changed = scene;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    for (const std::vector<std::string>& place : parameters[i].places)
      (void)replace(changed, place, 0, parameters[i].values[valueOf(number, i)]);
  }
  const std::string folder = folderOf(scenePath);
  try {
    return parseScene(writeJson(changed), scenePath, FolderAssets(folder.empty() ? "." : folder),
                      readRobotFile);
  } catch (const InputError& error) {
    throw InputError(concat(error.what(), " (in case ", number,
                            " of the study: ", printable(describe(number), 200), ")"));
  }
}

Study loadStudy(const std::string& path) {
  const std::string text = readFile(path, JsonLimits{}.bytes), shown = printable(path, 200);
  const JsonValue json = parseJson(text, shown);
  const Node root(json, shown);
  root.allowKeys(
      {"$schema", "name", "description", "scene", "steps", "parameters", "combine", "measures"});
  Study study;
  if (const std::optional<Node> v = root.find("name")) study.name = v->text("a name");
  if (const std::optional<Node> v = root.find("description")) (void)v->text("a text");
  const Node scene = root.require("scene", "the scene's file");
  const std::string& file = scene.text("the scene's file");
  if (const std::string fault = faultOfRelativePath(file); !fault.empty()) scene.fail(fault);
  study.scenePath = folderOf(path) + file;
  const Scene base = loadScene(study.scenePath, readRobotFile);
  study.sceneText = base.text;
  study.files = base.files;
  study.scene = parseJson(study.sceneText, printable(study.scenePath, 200));
  constexpr std::uint64_t kMostSteps = 1'000'000'000'000;
  if (const std::optional<Node> v = root.find("steps"))
    study.steps = v->count("steps", 1, kMostSteps);
  if (const std::optional<Node> v = root.find("combine"))
    study.together = v->oneOf({"product", "together"}) == 1;
  readParameters(root, json, study);
  if (const std::optional<Node> v = root.find("measures")) {
    const std::size_t count = v->list("measures", 0, kMostMeasures);
    for (std::size_t i = 0; i < count; ++i) study.measures.push_back(readMeasure(v->at(i)));
  }
  study.digest = digestOf(text, study);
  return study;
}

}  // namespace abut::inline v0_1::io
