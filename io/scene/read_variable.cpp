// SPDX-License-Identifier: MIT
// Scenes whose steps follow the motion: what they say, and what they cannot.
#include <string>

#include <abut/state/option_list.hpp>

#include "io/core/text.hpp"
#include "io/scene/read_parts.hpp"

namespace abut::inline v0_1::io {
namespace {

double positive(const Node& node, std::string_view key, std::string_view what, double otherwise,
                double least, double most) {
  const std::optional<Node> value = node.find(key);
  return value ? value->number(what, least, most) : otherwise;
}

void readImpacts(const Node& node, ImpactOptions& o) {
  node.allowKeys({"variable", "slowestImpact", "touchDistance", "contactStep"});
  o.slowestImpact = positive(node, "slowestImpact", "a speed [m/s]", o.slowestImpact, 1e-12, 1e3);
  o.touchDistance = positive(node, "touchDistance", "a length [m]", o.touchDistance, 1e-15, 1.0);
  o.contactStep = positive(node, "contactStep", "a time [s]", o.contactStep, 1e-9, 1.0);
}

void readCompliant(const Node& node, CompliantOptions& o, CvodeOptions& cvode) {
  node.allowKeys({"variable", "method", "relativeTolerance", "absoluteTolerance", "maxStep",
                  "friction", "frictionVelocity", "rollingVelocity", "slowestImpact",
                  "maxContacts"});
  if (const std::optional<Node> v = node.find("method"))
    cvode.method = v->oneOf({"bdf", "adams"}) == 1 ? CvodeMethod::Adams : CvodeMethod::Bdf;
  cvode.relativeTolerance =
      positive(node, "relativeTolerance", "a relative error", cvode.relativeTolerance, 1e-14, 1e-1);
  cvode.absoluteTolerance = positive(node, "absoluteTolerance", "an error [m, m/s, rad/s]",
                                     cvode.absoluteTolerance, 1e-30, 1.0);
  cvode.maxStep = positive(node, "maxStep", "a time [s]", cvode.maxStep, 1e-12, 1e6);
  if (const std::optional<Node> v = node.find("friction"))
    o.frictionLaw =
        v->oneOf({"smooth", "sticking"}) == 1 ? FrictionLaw::StickEvents : FrictionLaw::Regularised;
  o.frictionVelocity =
      positive(node, "frictionVelocity", "a speed [m/s]", o.frictionVelocity, 1e-12, 1e3);
  o.rollingVelocity =
      positive(node, "rollingVelocity", "a speed [rad/s]", o.rollingVelocity, 1e-12, 1e3);
  o.slowestImpact = positive(node, "slowestImpact", "a speed [m/s]", o.slowestImpact, 1e-12, 1e3);
  if (const std::optional<Node> v = node.find("maxContacts"))
    o.events.nzMax = static_cast<std::size_t>(v->count("pairs in contact", 1, 10'000));
}

/// Complains about the first of these keys.
void refuse(const Node& node, std::initializer_list<std::string_view> keys,
            std::string_view because) {
  for (const std::string_view key : keys)
    if (const std::optional<Node> value = node.find(key)) value->fail(std::string(because));
}

}  // namespace

VariableStep readVariableStep(const Node& node) {
  VariableStep step;
  const Node kind = node.require(
      "variable", "\"impacts\" or \"compliant\"; a fixed step is a number, its length [s]");
  if (kind.oneOf({"impacts", "compliant"}) == 0) {
    readImpacts(node, step.impacts);
  } else {
    step.contacts = VariableStep::Contacts::Compliant;
    readCompliant(node, step.compliant, step.cvode);
  }
  return step;
}

void refuseInVariableScene(const Node& root, const VariableStep& step) {
  const bool compliant = step.contacts == VariableStep::Contacts::Compliant;
  if (const std::optional<Node> solver = root.find("solver")) {
    if (compliant)
      solver->fail("compliant contacts have no solver; tolerances stand in \"step\". Remove it");
    // Located impacts have the solver's options, not those of the world's step.
    const WorldOptions options;
    forEachOption(options, [&](const OptionInfo& info, const auto&) {
      if (info.name.starts_with("WorldOptions::"))
        refuse(*solver, {info.key}, "only a fixed step has this; with located impacts remove it");
    });
  }
  refuse(root, {"exclude", "joints", "couplings", "robots", "threads"},
         "only a fixed step knows this; remove it, or give a fixed step");
  if (const std::optional<Node> limits = root.find("limits")) {
    if (compliant)
      limits->fail("compliant contacts have no residual and no ledger to limit. Remove it");
    refuse(*limits, {"pairs", "contacts"},
           "only a fixed step has this limit; remove it, or give a fixed step");
    refuse(*limits, {"energy"},
           "a variable step has no ledger of all work, so this cannot be checked; remove it");
  }
  if (const std::optional<Node> record = root.find("record"))
    refuse(*record, {"every"},
           "a variable step is recorded at times; give \"interval\" [s] instead");
}

void refuseInVariableBody(const Node& body, const VariableStep& step) {
  const bool compliant = step.contacts == VariableStep::Contacts::Compliant;
  refuse(body, {"motion"},
         "with a variable step kinematic bodies move at constant velocity only; give "
         "\"linearVelocity\" and \"angularVelocity\", or a fixed step");
  refuse(body, {"filter", "sensor"},
         "only a fixed step knows this; remove it, or give a fixed step");
  refuse(body, {"maxForce", "maxTorque"},
         "with a variable step drives have no limits; remove this, or give a fixed step");
  const std::optional<Node> forces = body.find("forces");
  if (!forces) return;
  if (!compliant)
    forces->fail(
        "located impacts know no forces but gravity; remove them, use \"variable\": "
        "\"compliant\", or a fixed step");
  for (std::size_t i = 0, count = forces->list("forces", 0, kMaxBodies); i < count; ++i) {
    const Node entry = forces->at(i);
    const std::optional<Node> frame = entry.isObject() ? entry.find("frame") : std::nullopt;
    if (frame && frame->oneOf({"world", "body"}) == 1)
      frame->fail("with a variable step forces keep their direction; use \"world\"");
  }
}

void refuseResistance(const Node& material, const Scene& scene) {
  const std::optional<Node> stiffness = material.find("stiffness");
  if (scene.variable && stiffness && stiffness->number("a stiffness [N/m]") != 0.0) {
    stiffness->fail(
        "with a variable step surfaces give way by \"youngsModulus\"; set it to 0, or give a fixed "
        "step");
  }
  if (!scene.variable || scene.variable->contacts == VariableStep::Contacts::Compliant) return;
  for (const char* key : {"rollingResistance", "spinningResistance"}) {
    const std::optional<Node> value = material.find(key);
    if (value && value->number("a length [m]") != 0.0)
      value->fail(
          "located impacts have no such resistance; set it to 0, or use \"variable\": "
          "\"compliant\" "
          "or a fixed step");
  }
}

}  // namespace abut::inline v0_1::io
