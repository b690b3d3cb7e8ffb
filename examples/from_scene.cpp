// SPDX-License-Identifier: MIT
// A scene file in a program: read, run, asked by name, looked at.
#include <cstdio>

#include <abut/abut.hpp>
#include <abut/io/recorder.hpp>
#include <abut/io/scene_file.hpp>
#include <abut/world/inspect.hpp>

int main(int argc, char** argv) {
  const std::string path = argc > 1 ? argv[1] : "scenes/capsule_spin.json";
  abut::SceneFile scene(path);
  abut::RecorderOptions options;
  options.name = scene.getName();
  options.every = 10;
  abut::Recorder recorder(scene.world(), "", options);
  for (const abut::ObjectId id : abut::bodiesOf(scene.world()))
    recorder.setName(id, scene.nameOf(id));
  while (!scene.isOver()) scene.step().orThrow();
  std::printf("%s: %llu steps, %llu frames, hash %016llx\n", scene.getName().c_str(),
              static_cast<unsigned long long>(scene.stepsMade()),
              static_cast<unsigned long long>(recorder.numFrames()),
              static_cast<unsigned long long>(scene.world().hash()));
  recorder.writeReport("from_scene.html");
  return scene.getFault().empty() ? 0 : 1;
}
