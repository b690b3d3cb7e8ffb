// SPDX-License-Identifier: MIT
//
// A program's own world as pages meet it.
#include <arpa/inet.h>
#include <chrono>
#include <limits>
#include <netinet/in.h>
#include <string>
#include <sys/socket.h>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>

#include <abut/abut.hpp>
#include <abut/io/live_view.hpp>

namespace abut {
namespace {

/// A client on this machine.
class Client {
public:
  explicit Client(const LiveView& view) {
    const std::string& address = view.getAddress();
    const std::size_t colon = address.rfind(':'), question = address.find("/?token=");
    port_ = std::stoi(address.substr(colon + 1, question - colon - 1));
    token_ = address.substr(question + 8);
  }
  [[nodiscard]] std::string get(const std::string& path) const {
    return ask("GET " + path, "", "");
  }
  std::string wish(const std::string& body) const { return ask("POST /control", token_, body); }
  std::string wishWithout(const std::string& body) const {
    return ask("POST /control", std::string(32, '0'), body);
  }

  /// Asks and does not read the answer. Returns the connection, which the caller closes.
  [[nodiscard]] int askAndWait(const std::string& path) const {
    const int s = ::socket(AF_INET, SOCK_STREAM, 0);
    const int room = 1024;
    ::setsockopt(s, SOL_SOCKET, SO_RCVBUF, &room, sizeof room);
    EXPECT_TRUE(connectTo(s));
    const std::string request =
        "GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port_) + "\r\n\r\n";
    (void)!::send(s, request.data(), request.size(), MSG_NOSIGNAL);
    return s;
  }

private:
  [[nodiscard]] bool connectTo(int s) const {
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(static_cast<std::uint16_t>(port_));
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return ::connect(s, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0;
  }
  std::string ask(const std::string& line, const std::string& token,
                  const std::string& body) const {
    const int s = ::socket(AF_INET, SOCK_STREAM, 0);
    std::string text;
    if (connectTo(s)) {
      std::string request = line + " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port_) + "\r\n";
      if (!token.empty()) {
        request += "X-Abut-Token: " + token + "\r\nContent-Length: " + std::to_string(body.size()) +
                   "\r\n";
      }
      request += "\r\n" + body;
      (void)!::send(s, request.data(), request.size(), MSG_NOSIGNAL);
      char buffer[4096];
      for (ssize_t n = 0; (n = ::recv(s, buffer, sizeof buffer, 0)) > 0;)
        text.append(buffer, static_cast<std::size_t>(n));
    }
    ::close(s);
    return text;
  }

  int port_ = 0;
  std::string token_;
};

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

class LiveViews : public ::testing::Test {
protected:
  LiveViews() {
    world.addBody({.type = BodyType::Static, .name = "floor"}, PlaneShape({0, 0, 1}));
    ball = world.addBody({.position = {0, 0, 5}, .name = "ball"}, SphereShape(0.5));
  }
  void SetUp() override {
    const Status status = statusOf([&] { LiveView trial(world); });
    // Without node, or without what it bundles the page from.
    if (!status && holds(status.getMessage(), "bundle")) GTEST_SKIP() << status.getMessage();
  }
  void run(LiveView& view, int steps) {
    for (int i = 0; i < steps; ++i) {
      ASSERT_TRUE(view.sync(10.0));
      world.step(0.01).orThrow();
    }
  }

  World world;
  ObjectId ball = kNoObject;
  LiveViewOptions fast{.name = "test", .speed = 0.0, .step = 0.01};
};

TEST_F(LiveViews, ChangeNoBitUnlessAPageAsksForIt) {
  World alone;
  alone.addBody({.type = BodyType::Static}, PlaneShape({0, 0, 1}));
  alone.addBody({.position = {0, 0, 5}}, SphereShape(0.5));
  LiveView view(world, fast);
  run(view, 200);
  for (int i = 0; i < 200; ++i) alone.step(0.01).orThrow();
  EXPECT_EQ(world.hash(), alone.hash());
  const Client page(view);
  EXPECT_TRUE(holds(page.get("/"), "text/html"));
  EXPECT_TRUE(holds(page.get("/header"), "200"));
  EXPECT_TRUE(holds(page.get("/frames?from=0"), "200"));
  EXPECT_TRUE(holds(page.get("/state"), "\"state\":\"running\""));
}

TEST_F(LiveViews, PauseStepAndPull) {
  LiveView view(world, fast);
  const Client page(view);
  run(view, 5);
  EXPECT_TRUE(holds(page.wishWithout(R"({"do": "pause"})"), "403"));
  EXPECT_TRUE(view.sync(1.0));
  EXPECT_TRUE(holds(page.wish(R"({"do": "pause"})"), "200"));
  EXPECT_FALSE(view.sync(0.02));
  EXPECT_TRUE(holds(page.wish(R"({"do": "step", "count": 2})"), "200"));
  run(view, 2);
  EXPECT_FALSE(view.sync(0.02));
  EXPECT_TRUE(holds(page.get("/state"), "\"step\":7"));

  // A pull upwards, asked for once and given once a step however often the program asks.
  page.wish(R"({"do": "pull", "body": "ball", "point": [0, 0, 0], "target": [0, 0, 50]})");
  page.wish(R"({"do": "step", "count": 3})");
  const double before = world.motion(ball).linearVelocity.z();
  ASSERT_TRUE(view.sync(1.0));
  ASSERT_TRUE(view.sync(1.0));
  world.step(0.01).orThrow();
  // The force ends at 20 weights at 10 m/s^2, and gravity acts against it: (200 - g) dt.
  EXPECT_NEAR(world.motion(ball).linearVelocity.z() - before, (200 - 9.81) * 0.01, 1e-9);
  EXPECT_GT(world.getLedger().forces, 0.0);
  EXPECT_TRUE(holds(
      page.wish(R"({"do": "pull", "body": "nobody", "point": [0, 0, 0], "target": [0, 0, 0]})"),
      "no body"));
}

TEST_F(LiveViews, RestartPutsTheWorldBackToTheBit) {
  LiveView view(world, fast);
  const Client page(view);
  const std::uint64_t start = world.hash();
  run(view, 150);
  page.wish(R"({"do": "pause"})");
  page.wish(R"({"do": "restart"})");
  EXPECT_FALSE(view.sync(0.02));
  EXPECT_EQ(world.hash(), start);
  EXPECT_EQ(view.numRestarts(), 1u);
  EXPECT_EQ(world.find("ball"), ball);
  EXPECT_TRUE(holds(page.get("/state"), "\"run\":2"));
  EXPECT_TRUE(holds(page.get("/state"), "\"bodies\":0"));
}

TEST_F(LiveViews, BodiesMayComeAndGo) {
  LiveView view(world, fast);
  const Client page(view);
  run(view, 3);
  world.addBody({.position = {3, 0, 1}, .name = "ball"}, BoxShape::fromSize({1, 1, 1}));
  run(view, 3);
  EXPECT_TRUE(holds(page.get("/state"), "\"bodies\":1"));
  world.removeBody(ball).orThrow();
  run(view, 3);
  EXPECT_TRUE(holds(page.get("/state"), "\"bodies\":2"));
  EXPECT_TRUE(holds(page.get("/frames?from=0&run=1"), "204 No Content"));
  page.wish(R"({"do": "restart"})");
  EXPECT_TRUE(view.sync(1.0));
  EXPECT_EQ(world.numBodies(), 2u);
  EXPECT_TRUE(holds(page.get("/state"), "\"bodies\":3"));
}

TEST_F(LiveViews, ClientsThatDoNotReadHoldNobodyUp) {
  for (int i = 0; i < 200; ++i) {
    world.addBody({.position = {2.0 * (i % 15), 2.0 * (i / 15), 1}}, SphereShape(0.5));
  }
  LiveView view(world, fast);
  const Client page(view);
  run(view, 100);
  std::vector<int> idle;
  for (int i = 0; i < 64; ++i) idle.push_back(page.askAndWait("/frames?from=0"));
  const auto start = std::chrono::steady_clock::now();
  EXPECT_TRUE(holds(page.get("/state"), "\"state\":\"running\""));
  EXPECT_TRUE(holds(page.get("/"), "text/html"));
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
  run(view, 3);
  for (const int s : idle) ::close(s);
  EXPECT_TRUE(holds(page.get("/header"), "200"));
}

TEST_F(LiveViews, RefuseBadOptions) {
  EXPECT_THROW(LiveView(world, {.speed = -1.0}), Error);
  EXPECT_THROW(LiveView(world, {.step = std::numeric_limits<double>::quiet_NaN()}), Error);
  const LiveView first(world);
  const std::string& address = first.getAddress();
  const std::size_t colon = address.rfind(':');
  const auto port = static_cast<std::uint16_t>(std::stoi(address.substr(colon + 1)));
  EXPECT_THROW(LiveView(world, {.port = port}), Error);
}

}  // namespace
}  // namespace abut
