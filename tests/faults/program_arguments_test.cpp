// SPDX-License-Identifier: MIT
// FAULTS classes 1 and 16: what programs ask of live views, drawings and recorders.
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <unistd.h>

#include <gtest/gtest.h>

#include <abut/abut.hpp>
#include <abut/io/debug_draw.hpp>
#include <abut/io/live_view.hpp>
#include <abut/io/recorder.hpp>

namespace abut::test {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

World ballOnGround() {
  World world;
  world.addBody({.type = BodyType::Static}, PlaneShape({0, 0, 1}));
  world.addBody({.position = {0, 0, 0.5}}, SphereShape(0.5));
  return world;
}

/// Draws nothing, and looks whether it could.
class Places final : public DebugDraw {
public:
  void line(const Eigen::Vector3d& from, const Eigen::Vector3d& to, const DebugColor&) override {
    look(from);
    look(to);
  }
  void triangle(const Eigen::Vector3d& a, const Eigen::Vector3d& b, const Eigen::Vector3d& c,
                const DebugColor&) override {
    look(a);
    look(b);
    look(c);
  }
  void point(const Eigen::Vector3d& at, double, const DebugColor&) override { look(at); }
  [[nodiscard]] bool areFinite() const { return are_finite_; }

private:
  void look(const Eigen::Vector3d& place) { are_finite_ = are_finite_ && place.allFinite(); }
  bool are_finite_ = true;
};

TEST(ProgramArguments, DrawingsHaveFinitePlaces) {
  World world = ballOnGround();
  for (int i = 0; i < 3; ++i) world.step(0.01).orThrow();
  for (const double bad : {1e308, kInfinity, kNaN, -1.0}) {
    DebugDrawOptions options;
    options.forceScale = bad;
    Places places;
    EXPECT_THROW(drawWorld(world, places, options), Error) << bad;
  }
  DebugDrawOptions options;
  options.forceScale = options.planeSize = 1e30;
  Places places;
  drawWorld(world, places, options);
  EXPECT_TRUE(places.areFinite());
}

// A paused view that waits for a NaN of seconds waits for ever.
TEST(ProgramArguments, LiveViewsWaitForNumbersOfSeconds) {
  World world = ballOnGround();
  LiveViewOptions options;
  options.paused = true;
  std::optional<LiveView> view;
  try {
    view.emplace(world, options);
  } catch (const Error& error) {
    GTEST_SKIP() << error.what();  // Built without the page.
  }
  EXPECT_THROW(view->sync(kNaN), Error);
  EXPECT_FALSE(view->sync(0.0));
  EXPECT_FALSE(view->sync(-kInfinity));
  view.reset();
  for (const double bad : {kNaN, kInfinity, -1.0}) {
    options.step = bad;
    EXPECT_THROW(LiveView(world, options), Error) << bad;
  }
}

TEST(ProgramArguments, ReportsDoNotReplaceTheirRecording) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("abut-reports-" + std::to_string(::getpid()));
  std::filesystem::create_directory(folder);
  const std::string file = folder / "run.abut", link = folder / "link.html";
  std::filesystem::create_symlink("run.abut", link);
  World world = ballOnGround();
  Recorder recorder(world, file);
  for (int i = 0; i < 3; ++i) world.step(0.01).orThrow();
  for (const std::string& page : {file, link, std::string(), folder.string()}) {
    EXPECT_THROW(recorder.writeReport(page), std::runtime_error) << page;
  }
  recorder.finish();
  const auto size = std::filesystem::file_size(file);
  for (const std::string& page : {file, link, std::string(), folder.string()}) {
    EXPECT_THROW(writeReport(file, page), std::runtime_error) << page;
  }
  EXPECT_EQ(std::filesystem::file_size(file), size);
  writeReport(file, folder / "page.html");  // It still is a recording.
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace abut::test
