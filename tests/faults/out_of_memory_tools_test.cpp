// SPDX-License-Identifier: MIT
// FAULTS class 14: memory runs out while robots are read, studies run, parts of recordings put
// together, recordings exported, worlds drawn and shown.
#include <arpa/inet.h>
#include <array>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <abut/io/debug_draw.hpp>
#include <abut/io/live_view.hpp>
#include <abut/io/recorder.hpp>
#include <abut/ranks/distributed_world.hpp>

#include "faults/failing_work.hpp"
#include "faults/mixed_world.hpp"
#include "faults/one_rank.hpp"
#include "io/core/files.hpp"
#include "io/export/export.hpp"
#include "io/live/local_server.hpp"
#include "io/recording/recording_file.hpp"
#include "io/recording/recording_parts.hpp"
#include "io/robot/robot.hpp"
#include "io/run/simulation.hpp"
#include "io/sweep/journal.hpp"

namespace abut::test {
namespace {

constexpr const char* kScene =
    R"({"step": 0.01, "duration": 0.03, "materials": {"felt": {"friction": 0.3}},
  "bodies": [{"name": "floor", "type": "static", "shapes": [{"plane": {"normal": [0, 0, 1]}, "material": "felt"}]},
             {"name": "box", "position": [0, 0, 0.5], "linearVelocity": [3, 0, 0], "mass": 2,
              "shapes": [{"box": {"size": [1, 1, 1]}, "material": "felt"}]}]})";
constexpr const char* kStudy = R"({"scene": "s.json",
  "parameters": [{"name": "friction", "at": "/materials/felt/friction", "from": 0.1, "to": 0.2, "count": 2}],
  "measures": [{"name": "v", "body": "box", "of": "linearVelocity.x"}, {"of": "kineticAfter", "as": "least"}]})";
constexpr const char* kUrdf = R"(<robot name="arm"><link name="base">
    <collision><geometry><box size="1 1 1"/></geometry></collision>
    <inertial><mass value="2"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="tip"><collision><geometry><sphere radius="0.2"/></geometry></collision>
    <inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="j" type="revolute"><parent link="base"/><child link="tip"/><origin xyz="0 0 1"/>
    <axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="10" velocity="1"/></joint></robot>)";
constexpr const char* kMjcf = R"(<mujoco><worldbody><geom type="plane" size="1 1 1"/>
  <body pos="0 0 1"><freejoint/><geom type="capsule" size="0.1 0.3"/>
    <body pos="0 0 0.5"><joint type="hinge" axis="0 1 0" range="-30 30"/><geom type="sphere" size="0.1"/></body></body>
  </worldbody></mujoco>)";

TEST(OutOfMemoryInTools, RobotsEndWithBadAlloc) {
  const io::MemoryAssets files({{"arm.urdf", kUrdf}, {"leg.xml", kMjcf}});
  for (const char* name : {"arm.urdf", "leg.xml"}) {
    failEach(
        name,
        [&] {
          io::RobotTree tree = io::readRobot(name, files, {});
          (void)io::writeRobotScene(tree, "", Pose{}, true);
        },
        [](bool) {});
  }
}

TEST(OutOfMemoryInTools, StudiesGoOnWhereTheyWere) {
  const Folder folder;
  std::ofstream(folder.file("s.json")) << kScene;
  std::ofstream(folder.file("study.json")) << kStudy;
  const std::string table = folder.file("study.csv");
  const auto goOn = [] { return true; };
  const auto runAll = [&] {
    const io::Study study = io::loadStudy(folder.file("study.json"));
    io::Journal journal(study, table);
    journal.open("");
    for (std::uint64_t i = 0; i < study.numCases(); ++i) {
      if (!journal.has(i)) journal.add(i, io::runCase(study, i, goOn));
    }
    journal.finish();
  };
  runAll();
  const std::string expected = io::readFile(table, 1 << 20);
  // Journals of runs that failed stay, so that later ones have less to do.
  failEach("study", runAll, [](bool) {});
  runAll();
  EXPECT_EQ(io::readFile(table, 1 << 20), expected);
}

TEST(OutOfMemoryInTools, PartsOfRecordingsStayReadable) {
  const Folder folder;
  const std::string path = folder.file("run.abut");
  const io::Scene scene = io::parseScene(kScene, "scene", io::FolderAssets("."));
  const auto frames = [&] {
    io::PartReader reader(path);
    std::size_t count = 0;
    for (io::Frame frame; reader.next(frame);) ++count;
    return count;
  };
  io::Simulation run(scene);
  io::FramePart part;
  run.capture(part.frame);
  for (const ObjectId id : bodiesOf(run.getWorld())) part.bodies.push_back(id);
  World small;
  OneRank alone;
  part.contacts = DistributedWorld(small, alone).packContacts();
  part.hasContacts = false;
  part.frame.contacts.clear();
  part.frame.events.clear();
  {
    io::PartWriter writer(path, 0, 1);
    writer.begin({"scene", kScene, {}}, run.getHeader());
    std::size_t written = 0;
    writer.add(part);
    failEach(
        "writing", [&] { writer.add(part); }, [&](bool isDone) { written += isDone ? 1 : 0; });
    writer.end();
    EXPECT_GE(written, 2u);
  }
  failEach(
      "reading", [&] { (void)frames(); }, [](bool) {});
}

TEST(OutOfMemoryInTools, ExportsAndPagesEndWithBadAlloc) {
  const Folder folder;
  const std::string path = folder.file("run.abut");
  World world = mixedWorld({});
  Recorder recorder(world, path);
  for (int i = 0; i < 3; ++i) world.step(kMixedStep).orThrow();
  recorder.finish();
  using Export = std::string (*)(io::RecordingReader&);
  for (const Export write :
       {Export{io::exportGltf}, Export{io::exportNpz},
        Export{[](io::RecordingReader& r) { return io::exportCsv(r, io::CsvTable::Contacts); }}}) {
    failEach(
        "export",
        [&] {
          io::RecordingReader reader(path);
          (void)write(reader);
        },
        [](bool) {});
  }
}

TEST(OutOfMemoryInTools, DrawingChangesNothing) {
  struct Nothing final : DebugDraw {
    void line(const Eigen::Vector3d&, const Eigen::Vector3d&, const DebugColor&) override {}
    void triangle(const Eigen::Vector3d&, const Eigen::Vector3d&, const Eigen::Vector3d&,
                  const DebugColor&) override {}
    void point(const Eigen::Vector3d&, double, const DebugColor&) override {}
  };
  World world = mixedWorld({});
  world.step(kMixedStep).orThrow();
  const std::uint64_t hash = world.hash();
  failEach(
      "drawing",
      [&] {
        Nothing draw;
        drawWorld(world, draw, {.faces = true, .axes = true});
      },
      [&](bool) { ASSERT_EQ(world.hash(), hash); });
}

/// Asks a server on this machine without taking memory; how many bytes it answered.
std::size_t ask(std::uint16_t port, const char* path) {
  const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const timeval patience{0, 300'000};
  ::setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  std::size_t received = 0;
  if (::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) {
    std::array<char, 4096> text{};
    const int size = std::snprintf(text.data(), text.size(),
                                   "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n", path, port);
    (void)::send(socket, text.data(), static_cast<std::size_t>(size), MSG_NOSIGNAL);
    for (ssize_t n = 0; (n = ::recv(socket, text.data(), text.size(), 0)) > 0;)
      received += static_cast<std::size_t>(n);
  }
  ::close(socket);
  return received;
}

TEST(OutOfMemoryInTools, TheServerOutlivesIt) {
  const io::LocalServer server(0, [](const io::HttpRequest&) {
    return io::HttpAnswer{200, "text/plain", std::make_shared<std::string>(100, 'x')};
  });
  ASSERT_GT(ask(server.getPort(), "/"), 100u);
  for (const bool all : {false, true}) {
    for (std::size_t n = 1; n < 40; n += all ? 6 : 1) {
      FailingAllocations failing(n, all);
      (void)ask(server.getPort(), "/");
      failing.stop();
      std::size_t answered = 0;
      for (int i = 0; i < 20 && answered == 0; ++i) answered = ask(server.getPort(), "/");
      ASSERT_GT(answered, 100u) << n;
    }
  }
}

TEST(OutOfMemoryInTools, ViewsGoOn) {
  World world = mixedWorld({});
  std::unique_ptr<LiveView> view;
  try {
    view = std::make_unique<LiveView>(world, LiveViewOptions{.speed = 0.0});
  } catch (const Error& error) {
    GTEST_SKIP() << error.what();
  }
  const std::string& address = view->getAddress();
  const auto port = static_cast<std::uint16_t>(std::stoi(address.substr(address.rfind(':') + 1)));
  failEach(
      "sync",
      [&] {
        EXPECT_TRUE(view->sync(10.0));
        (void)ask(port, "/frames?from=0");
        const Status status = world.step(kMixedStep);
        EXPECT_TRUE(status || status.getCode() == StatusCode::OutOfMemory);
      },
      [&](bool) {
        std::size_t answered = 0;
        for (int i = 0; i < 20 && answered == 0; ++i) answered = ask(port, "/header");
        ASSERT_GT(answered, 100u);
      });
}

}  // namespace
}  // namespace abut::test
