// SPDX-License-Identifier: MIT
// FAULTS classes 16, 20 and 21: disks that are full, XML that attacks, mesh files that lie.
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sys/resource.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "io/core/files.hpp"
#include "io/core/output.hpp"
#include "io/core/text.hpp"
#include "io/mesh/mesh_file.hpp"
#include "io/recording/recording_file.hpp"
#include "io/robot/xml.hpp"

namespace abut::test {
namespace {

namespace fs = std::filesystem;

template <class Work>
std::string faultOf(Work work) {
  try {
    work();
  } catch (const io::InputError& error) {
    return error.what();
  }
  return "";
}

TEST(FullDisk, ARecordingSaysSo) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full";
  const std::string fault = faultOf([] {
    io::RecordingWriter writer("/dev/full", {});
    writer.onHeader({});
  });
  EXPECT_NE(fault.find("/dev/full: cannot be written: No space left"), std::string::npos) << fault;
}

/// While there is one, files end at so many bytes, as on a disk that fills up.
class SmallDisk {
public:
  explicit SmallDisk(rlim_t bytes) {
    old_handler_ = std::signal(SIGXFSZ, SIG_IGN);
    ::getrlimit(RLIMIT_FSIZE, &old_);
    rlimit small = old_;
    small.rlim_cur = bytes;
    ::setrlimit(RLIMIT_FSIZE, &small);
  }
  ~SmallDisk() {
    ::setrlimit(RLIMIT_FSIZE, &old_);
    std::signal(SIGXFSZ, old_handler_);
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;

private:
  rlimit old_ = {};
  void (*old_handler_)(int) = nullptr;
};

TEST(FullDisk, WhatWasThereStays) {
  const fs::path folder = fs::temp_directory_path() / ("abut_full_" + std::to_string(::getpid()));
  fs::create_directories(folder);
  const std::string path = (folder / "checkpoint").string();
  io::writeFileAtomically(path, "the old one");
  for (const rlim_t bytes : {0, 1, 100, 4096, 65535}) {
    std::string fault;
    {
      const SmallDisk disk(bytes);
      fault = faultOf([&] { io::writeFileAtomically(path, std::string(65536, 'x')); });
    }
    EXPECT_NE(fault, "") << bytes;
    EXPECT_EQ(io::readFile(path, 100), "the old one") << bytes;
    EXPECT_EQ(std::distance(fs::directory_iterator(folder), fs::directory_iterator()), 1) << bytes;
  }
  fs::remove_all(folder);
}

std::string xmlFault(const std::string& text) {
  return faultOf([&] { (void)io::XmlFile(text, "robot.urdf"); });
}

TEST(HostileXml, HasNoDocumentTypeAndNoEntities) {
  const std::string bomb =
      "<!DOCTYPE lolz [<!ENTITY lol \"lol\"><!ENTITY lol2 \"&lol;&lol;&lol;&lol;\">]>\n"
      "<robot name=\"&lol2;\"/>";
  EXPECT_NE(xmlFault(bomb).find("document types"), std::string::npos) << xmlFault(bomb);
  const std::string reach =
      "<?xml version=\"1.0\"?><!DOCTYPE r [<!ENTITY x SYSTEM \"file:///etc/passwd\">]>"
      "<robot name=\"r\">&x;</robot>";
  EXPECT_NE(xmlFault(reach).find("document types"), std::string::npos) << xmlFault(reach);
  // Without a document type a name in ampersands is text.
  const io::XmlFile file("<robot name=\"&x;\"/>", "robot.urdf");
  EXPECT_EQ(file.root().require("name"), "&x;");
}

TEST(HostileXml, IsNeitherDeepNorEndless) {
  std::string deep;
  for (int i = 0; i < 100000; ++i) deep += "<a>";
  for (int i = 0; i < 100000; ++i) deep += "</a>";
  EXPECT_NE(xmlFault(deep), "");
  std::string nested;
  for (int i = 0; i < 90; ++i) nested += "<a>";
  EXPECT_NE(xmlFault(nested), "");  // Not closed.
  EXPECT_NE(xmlFault(""), "");
  EXPECT_NE(xmlFault("<robot name=\"a"), "");
  EXPECT_NE(xmlFault(std::string("<robot\0/>", 9)), "");
}

std::string meshFault(const std::string& content, const char* name) {
  return faultOf([&] { (void)io::parseMeshFile(content, name); });
}

TEST(HostileMeshes, CountsThatLieAreRefused) {
  const auto stl = [](std::uint32_t count, std::size_t triangles) {
    std::string content(80, '\0');
    char number[4];
    std::memcpy(number, &count, 4);
    content.append(number, 4);
    content.append(50 * triangles, '\0');
    return content;
  };
  EXPECT_EQ(meshFault(stl(2, 2), "a.stl"), "");
  for (const auto& [count, triangles] : {std::pair(0xffffffffu, 0), {3u, 2}, {1u, 2}, {0u, 2}}) {
    EXPECT_NE(meshFault(stl(count, static_cast<std::size_t>(triangles)), "a.stl"), "") << count;
  }
  EXPECT_NE(meshFault(stl(2, 2) + "x", "a.stl"), "");
  EXPECT_NE(meshFault("v 0 0 0\nf 1 2 3\n", "a.obj"), "");
  EXPECT_NE(meshFault("v 0 0 0\nf 99999999999999999999 1 1\n", "a.obj"), "");
  EXPECT_NE(meshFault("v nan 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "a.obj"), "");
  EXPECT_NE(meshFault("v 0 0 0\n", "a.zip"), "");
}

}  // namespace
}  // namespace abut::test
