// SPDX-License-Identifier: MIT
// Netcode's rollback: go back eight frames, put in other input, and be sure of the bits.
#include <cstddef>
#include <cstdio>
#include <vector>

#include <abut/abut.hpp>

namespace {

void frame(abut::World& world, abut::ObjectId player, double push) {
  world.applyForce(player, {push, 0, 0}, {0, 0, 0}).orThrow();
  world.step(1.0 / 60).orThrow();
}

}  // namespace

int main() {
  abut::World world(abut::WorldOptions::realTime());
  world.addBody({.type = abut::BodyType::Static}, abut::PlaneShape({0, 0, 1}));
  const auto player = world.addBody({.position = {0, 0, 0.5}}, abut::SphereShape(0.5));
  for (int i = 0; i < 20; ++i)
    world.addBody({.position = {1.2 + 1.1 * (i % 5), 0.2, 0.5 + i / 5}},
                  abut::BoxShape({0.5, 0.5, 0.5}));
  for (int i = 0; i < 60; ++i) frame(world, player, 3000);

  const std::vector<std::byte> saved = world.snapshot();
  for (int i = 0; i < 8; ++i) frame(world, player, 3000);
  const std::uint64_t first = world.hash();
  world.restore(saved).orThrow();
  for (int i = 0; i < 8; ++i) frame(world, player, 3000);
  const std::uint64_t again = world.hash();
  world.restore(saved).orThrow();
  for (int i = 0; i < 8; ++i) frame(world, player, -3000);
  std::printf("the same input: %s; other input: %s; %zu bytes a snapshot\n",
              again == first ? "the same bits" : "OTHER BITS",
              world.hash() != first ? "another state" : "THE SAME STATE", saved.size());
  return again == first && world.hash() != first ? 0 : 1;
}
