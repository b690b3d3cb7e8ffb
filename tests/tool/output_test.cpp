// SPDX-License-Identifier: MIT
// What the tool writes where: nothing that exists is destroyed, nothing is lost in silence.
#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>

#include "apps/abut/report_template.hpp"
#include "tool/process.hpp"

namespace abut::test {
namespace {

namespace fs = std::filesystem;

const std::string kBodies =
    R"("bodies": [{"name": "ground", "type": "static", "shapes": [{"plane": {"normal": [0, 0, 1]}}]},
      {"name": "ball", "position": [0, 0, 1], "shapes": [{"sphere": {"radius": 0.5}}]}]})";
const std::string kScene = R"({"step": 0.01, "duration": 0.1, )" + kBodies;
/// More steps than can be made while a test waits.
const std::string kEndless = R"({"step": 0.001, "duration": 1e6, )" + kBodies;

/// Why this tool makes no pages, or nothing: it may be built without node.
std::string noPages() {
  return tool::pageMissingBecause();
}

/// What a run can write: with pages, where there are any.
std::vector<const char*> outputs() {
  if (!noPages().empty()) return {"--record", "--checkpoint"};
  return {"--record", "--report", "--checkpoint"};
}

/// For the end of a test that tried outputs().
#define ABUT_SKIP_PAGES() \
  if (!noPages().empty()) GTEST_SKIP() << "without --report: " << noPages()

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// A folder with both scenes.
struct Scenes : TemporaryFolder {
  Scenes() {
    write("scene.json", kScene);
    write("endless.json", kEndless);
  }
};

TEST(Output, NeitherTheSceneNorAnotherOutputIsOverwritten) {
  const Scenes folder;
  ASSERT_EQ(::symlink("scene.json", folder.file("link.json").c_str()), 0);
  ASSERT_EQ(::link(folder.file("scene.json").c_str(), folder.file("twin.json").c_str()), 0);
  for (const char* option : outputs()) {
    for (const char* path : {"scene.json", "./scene.json", "link.json", "twin.json"}) {
      const Outcome o = runTool(folder.get(), {"run", "scene.json", option, path});
      EXPECT_EQ(o.code, 2) << option << " " << path << o.err;
      EXPECT_TRUE(contains(o.err, "would be lost")) << o.err;
      EXPECT_EQ(folder.read("scene.json"), kScene);
    }
  }
  const Outcome twice =
      runTool(folder.get(), {"run", "scene.json", "--record", "x", "--report", "./x"});
  EXPECT_EQ(twice.code, 2);
  EXPECT_TRUE(contains(twice.err, "--record writes the same file")) << twice.err;
  EXPECT_FALSE(fs::exists(folder.file("x")));
  ASSERT_EQ(runTool(folder.get(), {"run", "scene.json", "--record", "a.abut"}).code, 0);
  const std::string recording = folder.read("a.abut");
  ASSERT_EQ(::link(folder.file("a.abut").c_str(), folder.file("a.npz").c_str()), 0);
  EXPECT_EQ(runTool(folder.get(), {"export", "a.abut", "a.npz"}).code, 2);
  EXPECT_EQ(runTool(folder.get(), {"report", "a.abut", "-o", "a.abut"}).code, 2);
  EXPECT_EQ(folder.read("a.abut"), recording);
  ABUT_SKIP_PAGES();
}

TEST(Output, MeshesOfTheSceneAreNotOverwritten) {
  const TemporaryFolder folder;
  const std::string mesh =
      "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
  folder.write("parts/t.obj", mesh);
  folder.write("scene.json", R"({"step": 0.01, "duration": 0.1, "bodies": [{"name": "t",
      "shapes": [{"mesh": {"file": "parts/t.obj"}}]}]})");
  EXPECT_EQ(runTool(folder.get(), {"run", "scene.json", "--record", "parts/t.obj"}).code, 2);
  EXPECT_EQ(folder.read("parts/t.obj"), mesh);
}

TEST(Output, LinksStayLinksAndPermissionsStay) {
  for (const char* option : outputs()) {
    const Scenes folder;
    folder.write("private", "old");
    ASSERT_EQ(::chmod(folder.file("private").c_str(), 0600), 0);
    ASSERT_EQ(::symlink("private", folder.file("link").c_str()), 0);
    const Outcome o = runTool(folder.get(), {"run", "scene.json", option, "link"});
    ASSERT_EQ(o.code, 0) << option << o.err;
    EXPECT_TRUE(fs::is_symlink(folder.file("link"))) << option;
    EXPECT_GT(fs::file_size(folder.file("private")), 100u) << option;
    struct stat info = {};
    ASSERT_EQ(::stat(folder.file("private").c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 07777, 0600u) << option;
  }
  ABUT_SKIP_PAGES();
}

TEST(Output, DevicesStayDevices) {
  for (const char* option : outputs()) {
    const Scenes folder;
    // Like /dev/null.
    if (::mknod(folder.file("null").c_str(), S_IFCHR | 0666, 0x103) != 0)
      GTEST_SKIP() << "no permission to make a device";
    const Outcome o = runTool(folder.get(), {"run", "scene.json", option, "null"});
    struct stat info = {};
    ASSERT_EQ(::stat(folder.file("null").c_str(), &info), 0);
    EXPECT_TRUE(S_ISCHR(info.st_mode)) << option;
    if (contains(o.err, "ermission")) GTEST_SKIP() << "devices cannot be opened here";
    EXPECT_EQ(o.code, 0) << option << o.err;
  }
  ABUT_SKIP_PAGES();
}

TEST(Output, APipeIsWrittenToAndNotWaitedFor) {
  for (const char* option : outputs()) {
    const Scenes folder;
    const std::string pipe = folder.file("pipe");
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    const Outcome alone = runTool(folder.get(), {"run", "scene.json", option, "pipe"});
    EXPECT_EQ(alone.code, 2) << option << alone.err;
    EXPECT_TRUE(contains(alone.err, "nobody reads this pipe")) << alone.err;
    // With a reader it gets all of it. Read and write, so that opening waits for nobody.
    const int reader = ::open(pipe.c_str(), O_RDWR | O_NONBLOCK);
    ASSERT_GE(reader, 0);
    std::size_t received = 0;
    bool done = false;
    std::thread drain([&] {
      char buffer[65536];
      while (true) {
        const bool last = done;
        const ssize_t got = ::read(reader, buffer, sizeof buffer);
        if (got > 0) received += static_cast<std::size_t>(got);
        if (got <= 0 && last) break;
        if (got <= 0) ::usleep(1000);
      }
    });
    const Outcome read = runTool(folder.get(), {"run", "scene.json", option, "pipe"});
    done = true;
    drain.join();
    ::close(reader);
    EXPECT_EQ(read.code, 0) << option << read.err;
    EXPECT_GT(received, 100u) << option;
    EXPECT_TRUE(fs::is_fifo(pipe)) << option;
  }
  ABUT_SKIP_PAGES();
}

TEST(Output, PathsAreTriedBeforeTheRun) {
  const Scenes folder;
  folder.write("file", "");
  for (const char* option : outputs()) {
    for (const char* path : {"nowhere/x", "file/x", ".", ""}) {
      // A scene without end: only what is refused at once comes back in time.
      const Outcome o = runTool(folder.get(), {"run", "endless.json", option, path});
      EXPECT_EQ(o.code, 2) << option << " \"" << path << "\" " << o.err;
      EXPECT_LT(o.computing, 5.0);
    }
  }
  EXPECT_EQ(runTool(folder.get(), {"report", "endless.json", "-o", "nowhere/x.html"}).code, 2);
  EXPECT_EQ(runTool(folder.get(), {"report", "endless.json", "-o", ""}).code, 2);
  // And what can be written is left alone by the trial.
  EXPECT_EQ(folder.list(), (std::vector<std::string>{"endless.json", "file", "scene.json"}));
  ABUT_SKIP_PAGES();
}

TEST(Output, AFullOrClosedStandardOutputIsAnError) {
  const Scenes folder;
  for (const std::string out : {"/dev/full", kClosed}) {
    for (const std::vector<std::string>& arguments :
         {std::vector<std::string>{"hash", "scene.json"},
          {"run", "scene.json"},
          {"check", "scene.json"},
          {"verify", "--only", "incline"}}) {
      const Outcome o = runToolInto(out, folder.get(), arguments);
      EXPECT_EQ(o.code, 2) << out << " " << arguments[0];
      EXPECT_TRUE(contains(o.err, "standard output cannot be written")) << o.err;
    }
  }
  // A recording does not take the place of a standard output that is closed.
  const Outcome closed =
      runToolInto(kClosed, folder.get(), {"run", "scene.json", "--record", "a.abut"});
  EXPECT_EQ(closed.code, 2);
  const Outcome read = runTool(folder.get(), {"replay", "a.abut"});
  EXPECT_EQ(read.code, 0) << read.err;
}

TEST(Output, InterruptedRunsKeepWhatThereIs) {
  if (!noPages().empty()) GTEST_SKIP() << noPages();
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    const Scenes folder;
    const Outcome o =
        runAndSignal(folder.get(),
                     {"run", "endless.json", "--record", "a.abut", "--report", "a.html",
                      "--checkpoint", "a.ck", "--checkpoint-every", "1000000"},
                     "a.abut", 20000, signal);
    EXPECT_EQ(o.code, 128 + signal) << o.err;
    EXPECT_TRUE(contains(o.err, "interrupted after")) << o.err;
    EXPECT_TRUE(contains(o.out, "hash")) << o.out;
    const Outcome replay = runTool(folder.get(), {"replay", "a.abut"});
    EXPECT_EQ(replay.code, 0) << replay.err;
    EXPECT_TRUE(contains(replay.out, "interrupted")) << replay.out;
    EXPECT_GT(fs::file_size(folder.file("a.html")), 100'000u);
    EXPECT_EQ(
        runTool(folder.get(), {"run", "endless.json", "--resume", "a.ck", "--steps", "0"}).code, 1);
  }
}

TEST(Output, AnInterruptedReportShowsWhatThereIs) {
  if (!noPages().empty()) GTEST_SKIP() << noPages();
  const Scenes folder;
  folder.write("started", "");
  // Nothing grows while a page is gathered, so that the signal comes soon after the start; one that
  // comes before the tool listens ends it, and is tried again.
  Outcome o;
  for (int i = 0; i < 20 && o.code != 130; ++i)
    o = runAndSignal(folder.get(), {"report", "endless.json", "-o", "a.html"}, "started", 0, SIGINT,
                     0.05 * (i + 1));
  EXPECT_EQ(o.code, 130) << o.err;
  EXPECT_TRUE(contains(o.err, "interrupted; the page shows")) << o.err;
  EXPECT_GT(fs::file_size(folder.file("a.html")), 100'000u);
}

TEST(Output, ACheckpointBeyondTheStepsIsRefused) {
  const Scenes folder;
  ASSERT_EQ(runTool(folder.get(), {"run", "scene.json", "--checkpoint", "a.ck"}).code, 0);
  const Outcome beyond =
      runTool(folder.get(), {"run", "scene.json", "--resume", "a.ck", "--steps", "5"});
  EXPECT_EQ(beyond.code, 1);
  EXPECT_TRUE(contains(beyond.err, "is at step 10, beyond the 5 steps")) << beyond.err;
  const Outcome equal = runTool(folder.get(), {"run", "scene.json", "--resume", "a.ck"});
  EXPECT_EQ(equal.code, 0) << equal.err;
  EXPECT_TRUE(contains(equal.out, "none made here")) << equal.out;
  // A run may go on from a checkpoint and save to the same file.
  EXPECT_EQ(runTool(folder.get(), {"run", "scene.json", "--resume", "a.ck", "--checkpoint", "a.ck",
                                   "--steps", "12"})
                .code,
            0);
}

}  // namespace
}  // namespace abut::test
