// SPDX-License-Identifier: MIT
// Engines that npm packages as WebAssembly, each in a process of node: bench/engines/run.mjs.
#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <sstream>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

#include "scenes_peer.hpp"

namespace abut::bench {
namespace {

/// A program that answers each line with a line.
class Child {
public:
  Child(const std::string& folder, const std::string& engine) {
    int down[2], up[2];
    // No other child may hold their ends: a program ends when its input does.
    if (pipe2(down, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
    if (pipe2(up, O_CLOEXEC) != 0) {
      close(down[0]);
      close(down[1]);
      throw std::runtime_error("no pipe");
    }
    const std::string program = folder + "/run.mjs";
    process_ = fork();
    if (process_ == 0) {
      dup2(down[0], STDIN_FILENO);
      dup2(up[1], STDOUT_FILENO);
      execlp("node", "node", program.c_str(), engine.c_str(), static_cast<char*>(nullptr));
      _exit(127);
    }
    close(down[0]);
    close(up[1]);
    to_ = fdopen(down[1], "w");
    from_ = fdopen(up[0], "r");
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() {
    std::fclose(to_);
    std::fclose(from_);
    std::free(line_);
    if (process_ > 0) waitpid(process_, nullptr, 0);
  }

  /// The next line; empty if the program has ended.
  std::string read() {
    const ssize_t length = getline(&line_, &room_, from_);
    if (length <= 0) return {};
    return {line_, static_cast<std::size_t>(line_[length - 1] == '\n' ? length - 1 : length)};
  }
  std::string ask(const std::string& command) {
    std::fprintf(to_, "%s\n", command.c_str());
    std::fflush(to_);
    return read();
  }

private:
  pid_t process_ = -1;
  std::FILE *to_ = nullptr, *from_ = nullptr;
  char* line_ = nullptr;
  std::size_t room_ = 0;
};

void writeList(std::ostream& to, std::initializer_list<double> numbers) {
  const char* before = "[";
  for (const double x : numbers) {
    to << before << x;
    before = ", ";
  }
  to << "]";
}

void writePoints(std::ostream& to, const std::vector<Vec3>& points) {
  to << ", \"points\": [";
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (i > 0) to << ", ";
    writeList(to, {points[i].x, points[i].y, points[i].z});
  }
  to << "]";
}

void writeBody(std::ostream& to, const SceneBody& body) {
  constexpr const char* kNames[] = {"sphere", "box", "capsule", "cylinder", "hull", "mesh"};
  MassProperties mass;
  if (!body.isStatic) makeShape(body)->computeMass(kDensity, mass).orThrow();
  to << "{\"kind\": \"" << kNames[static_cast<int>(body.kind)]
     << "\", \"isStatic\": " << (body.isStatic ? "true" : "false") << ", \"yaw\": " << body.yaw
     << ", \"mass\": " << mass.mass << ", \"half\": ";
  writeList(to, {body.half.x, body.half.y, body.half.z});
  to << ", \"position\": ";
  writeList(to, {body.position.x, body.position.y, body.position.z});
  to << ", \"velocity\": ";
  writeList(to, {body.velocity.x, body.velocity.y, body.velocity.z});
  to << ", \"inertia\": ";
  writeList(to, {mass.inertia(0, 0), mass.inertia(1, 1), mass.inertia(2, 2)});
  if (body.kind == Kind::Icosahedron) writePoints(to, icosahedron(body.half.x));
  if (body.kind == Kind::Terrain) {
    const test::TerrainMesh mesh = test::makeTerrain(body.half.x);
    writePoints(to, mesh.vertices);
    to << ", \"triangles\": [";
    for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
      const auto& [a, b, c] = mesh.triangles[i];
      to << (i > 0 ? ", [" : "[") << a << ", " << b << ", " << c << "]";
    }
    to << "]";
  }
  to << "}";
}

class NodePeer final : public ScenePeer {
public:
  NodePeer(std::string name, std::string folder, std::string engine)
      : name_(std::move(name)), folder_(std::move(folder)), engine_(std::move(engine)) {}
  [[nodiscard]] std::string getName() const override { return name_; }
  /// A process of its own for each scene: one that ended takes no other with it.
  bool start() {
    child_ = std::make_unique<Child>(folder_, engine_);
    return child_->read() == "ready";
  }

  std::string build(const StandardScene& scene) override {
    if (!start()) return "cannot be started";
    std::ostringstream text;
    text.precision(17);
    text << "{\"sleeps\": " << (scene.sleeps ? "true" : "false") << ", \"bodies\": [";
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
      if (i > 0) text << ", ";
      writeBody(text, scene.bodies[i]);
    }
    text << "]}";
    const std::string answer = child_->ask(text.str());
    if (answer == "built") return {};
    return answer.empty() ? "has ended" : answer;
  }
  void step() override {
    std::istringstream answer(child_->ask("step"));
    long long contacts = 0;
    if (!(answer >> time_ >> energy_ >> contacts)) throw PeerEnded("ended in a step");
    contacts_ = contacts > 0 ? static_cast<std::size_t>(contacts) : 0;
  }
  [[nodiscard]] double getStepTime() const override { return time_; }
  void getPoses(std::vector<Pose>& poses) const override {
    std::istringstream answer(child_->ask("poses"));
    poses.clear();
    Vec3 at;
    for (double x, y, z, w; answer >> at.x >> at.y >> at.z >> x >> y >> z >> w;) {
      const Eigen::Matrix3d turn = Eigen::Quaterniond(w, x, y, z).normalized().toRotationMatrix();
      Pose pose;
      pose.translation = at;
      pose.rotation = {{turn(0, 0), turn(1, 0), turn(2, 0)},
                       {turn(0, 1), turn(1, 1), turn(2, 1)},
                       {turn(0, 2), turn(1, 2), turn(2, 2)}};
      poses.push_back(pose);
    }
  }
  [[nodiscard]] double getEnergy() const override { return energy_; }
  [[nodiscard]] std::size_t numContacts() const override { return contacts_; }

private:
  std::string name_, folder_, engine_;
  std::unique_ptr<Child> child_;
  double time_ = 0.0, energy_ = 0.0;
  std::size_t contacts_ = 0;
};

}  // namespace

std::unique_ptr<ScenePeer> makeSceneNode(const std::string& name, const std::string& engine) {
  const std::string folder = ABUT_BENCH_ENGINES;
  if (!std::filesystem::exists(folder + "/node_modules")) return {};
  std::signal(SIGPIPE, SIG_IGN);  // An engine that ends is told by its missing answer.
  auto peer = std::make_unique<NodePeer>(name, folder, engine);
  if (!peer->start()) return {};
  return peer;
}

}  // namespace abut::bench
