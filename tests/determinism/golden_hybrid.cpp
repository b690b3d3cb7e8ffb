// SPDX-License-Identifier: MIT
#include <memory>
#include <string>
#include <vector>

#include <abut/events/contact_event_tracker.hpp>
#include <abut/hybrid/compliant_system.hpp>
#include <abut/hybrid/contact_laws.hpp>
#include <abut/hybrid/impact_simulation.hpp>
#include <abut/math/convert.hpp>
#include <abut/shapes/box_shape.hpp>
#include <abut/shapes/capsule_shape.hpp>
#include <abut/shapes/plane_shape.hpp>
#include <abut/shapes/sphere_shape.hpp>
#include <abut/world/world.hpp>

#include "digest.hpp"

namespace golden {
namespace {

/// Bodies that turn, slide and bounce on a floor and on each other.
abut::World fallingBodies(double rollingResistance) {
  abut::World world;
  abut::Material rubber;
  rubber.restitution = 0.6;
  rubber.friction = 0.4;
  rubber.youngsModulus = 1e7;
  rubber.rollingResistance = rollingResistance;
  abut::MaterialId id = 0;
  world.materials().add(rubber, id).orThrow();
  abut::BodyDescription floor, ball, box, capsule;
  floor.type = abut::BodyType::Static;
  world.addBody(floor, std::make_shared<abut::PlaneShape>(Eigen::Vector3d(0, 0, 1)), id);
  ball.position = {0, 0, 0.15};
  ball.linearVelocity = {1, 0.2, 0};
  ball.angularVelocity = {1, 2, 3};
  world.addBody(ball, std::make_shared<abut::SphereShape>(0.1), id);
  box.position = {0.5, 0, 0.3};
  box.linearVelocity = {-0.5, 0, 0};
  box.angularVelocity = {3, 2, 1};
  world.addBody(box, std::make_shared<abut::BoxShape>(Eigen::Vector3d(0.1, 0.15, 0.2)), id);
  capsule.position = {0.1, 0.5, 0.2};
  capsule.angularVelocity = {0.5, 1, 0};
  world.addBody(capsule, std::make_shared<abut::CapsuleShape>(0.05, 0.2), id);
  return world;
}

void addEvents(const std::vector<abut::HybridEvent>& events, Digest& digest) {
  for (const abut::HybridEvent& e : events) {
    digest.add(e.kind);
    digest.add(e.time);
    digest.add(e.touchTime);
    digest.add(e.normalSpeed);
    digest.add(e.position);
    digest.add(e.pair.first);
    digest.add(e.pair.second);
  }
}

void laws() {
  Digest digest;
  for (int i = 1; i <= 100; ++i) {
    digest.add(abut::dampingForRestitution(0.01 * i));
    digest.add(abut::hertzStiffness(1.0, 0.05 * i * i, 1e9));
    digest.add(abut::contactModulus(1e9 * i, 0.3, 2e9, 0.005 * i));
  }
  print("hybrid/laws", digest);
}

/// Euler's method will do: the same derivatives, roots and events at the same places.
void compliant(const std::string& name, abut::FrictionLaw law) {
  const abut::World world = fallingBodies(1e-3);
  abut::CompliantOptions options;
  options.events.nzMax = 8;
  options.frictionLaw = law;
  abut::CompliantSystem system(world, options);
  std::vector<double> y(system.numStates()), rates(y.size()), roots(system.numRoots());
  std::vector<abut::HybridEvent> events;
  Digest digest;
  system.getState(y);
  system.initialize(0.0, y).orThrow();
  for (int i = 0; i < 2500; ++i) {
    system.computeDerivatives(2e-4 * i, y, rates).orThrow();
    for (std::size_t j = 0; j < y.size(); ++j) y[j] += 2e-4 * rates[j];
    const double time = 2e-4 * (i + 1);
    system.computeRoots(time, y, roots).orThrow();
    for (const double z : roots) digest.add(z);
    system.handleEvent(time, y, events).orThrow();
  }
  for (const double value : y) digest.add(value);
  for (const abut::TrackedPair& p : system.getTracker().getNearPairs()) {
    digest.add(p.closest.point1);
    digest.add(p.closest.point2);
  }
  addEvents(events, digest);
  print(name, digest);
}

void impacts() {
  const abut::World world = fallingBodies(0.0);
  abut::ImpactOptions options;
  options.recordInterval = 0.01;
  options.slowestImpact = 1e-4;
  abut::ImpactSimulation simulation(world, options);
  simulation.advance(0.6).orThrow();
  Digest digest;
  for (const double value : simulation.getRecord().states) digest.add(value);
  addEvents(simulation.getRecord().events, digest);
  digest.add(static_cast<std::uint64_t>(simulation.numImpacts()));
  print("hybrid/impacts", digest);
}

}  // namespace

void hybrid() {
  laws();
  compliant("hybrid/compliant_regularised", abut::FrictionLaw::Regularised);
  compliant("hybrid/compliant_stick", abut::FrictionLaw::StickEvents);
  impacts();
}

}  // namespace golden
