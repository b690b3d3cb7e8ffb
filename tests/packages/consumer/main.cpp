// SPDX-License-Identifier: MIT
// A program outside the tree: prints the hash of a run, which must be the same however it was
// linked and with whatever flags.
#include <cstdio>

#include <abut/abut.hpp>
#ifdef WITH_IO
#include <abut/io/recorder.hpp>
#include <abut/io/scene_file.hpp>
#endif
#ifdef WITH_HYBRID
#include <abut/hybrid/cvode_driver.hpp>
#endif
#ifdef WITH_TBB
#include <abut/tbb/tbb_tasks.hpp>
#endif

int main(int argc, char** argv) {
  abut::WorldOptions options;
#ifdef WITH_TBB
  abut::TbbTasks tasks(2);
  options.tasks = &tasks;
#endif
  abut::World world(options);
  world.addBody({.type = abut::BodyType::Static}, abut::PlaneShape({0, 0, 1}));
  for (int i = 0; i < 5; ++i) {
    abut::BodyDescription body;
    body.position = {0.0625 * i, 0, 1.0 + 1.25 * i};
    body.angularVelocity = {0.5 * i, 1, 0};
    world.addBody(body, abut::BoxShape({0.5, 0.375, 0.25}));
  }
  for (int i = 0; i < 240; ++i) world.step(1.0 / 120).orThrow();
  const abut::Shape& cylinder = abut::CylinderShape(0.3, 0.7);
  const abut::Shape& cone = abut::ConeShape(0.3, 0.7);
  abut::DistanceResult gap;
  const abut::Pose turned = abut::poseFromRollPitchYaw({0.3, 0.2, 0.9}, 0.4, 0.5, 0.6);
  abut::distance({&cylinder, abut::Pose{}, 1}, {&cone, turned, 2}, gap).orThrow();
#ifdef WITH_HYBRID
  abut::CompliantSystem system(world);
  const abut::CvodeDriver driver(system);
#endif
#ifdef WITH_IO
  if (argc > 1) {
    abut::SceneFile scene(argv[1]);
    abut::Recorder recorder(scene.world(), "consumer.abut");
    for (int i = 0; i < 20; ++i) scene.step().orThrow();
    recorder.finish();
  }
#else
  (void)argc, (void)argv;
#endif
  std::printf("%016llx %a\n", static_cast<unsigned long long>(world.hash()), gap.distance);
}
