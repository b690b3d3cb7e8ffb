// SPDX-License-Identifier: MIT
// A ball that bounces on a compliant floor, driven by an integrator from outside the library. Shows
// all there is to do: state out, derivatives, root functions, events.
#include <cstdio>
#include <memory>

#include <abut/hybrid/compliant_system.hpp>
#include <abut/shapes/plane_shape.hpp>
#include <abut/shapes/sphere_shape.hpp>
#include <abut/world/world.hpp>

#include "runge_kutta.hpp"

int main() {
  abut::World world;
  abut::Material rubber;
  rubber.restitution = 0.7;
  rubber.youngsModulus = 1e7;
  abut::MaterialId material = 0;
  world.materials().add(rubber, material).orThrow();
  abut::BodyDescription floor, ball;
  floor.type = abut::BodyType::Static;
  ball.position = {0, 0, 1.1};
  world.addBody(floor, std::make_shared<abut::PlaneShape>(Eigen::Vector3d(0, 0, 1)), material);
  world.addBody(ball, std::make_shared<abut::SphereShape>(0.1), material);

  abut::CompliantSystem system(world);
  RungeKutta integrator(system, 1e-4);
  integrator.advance(2.0);
  std::printf("  touched [s]    located [s]    speed [m/s]\n");
  for (const abut::HybridEvent& e : integrator.events) {
    std::printf("%.10f   %.10f   %+.6f   %s\n", e.touchTime, e.time, e.normalSpeed,
                abut::toString(e.kind).data());
  }
  return integrator.events.size() >= 4 ? 0 : 1;
}
