// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace abut::tool {

/// What a request asks for, and what it is answered.
struct HttpAnswer {
  int status = 200;
  std::string type = "application/octet-stream";
  std::string body;
};

/// A server for pages of this machine: listens on 127.0.0.1 only, answers GET only, refuses
/// requests whose Host or Origin names another place (so that a foreign page cannot read through
/// the browser), keeps no connection open. One thread, no blocking reads.
class LocalServer {
public:
  /// `answer` is called in the server's thread with the path and the query ("/frames", "from=3").
  using Handler = std::function<HttpAnswer(const std::string& path, const std::string& query)>;

  /// Port 0 takes a free one. Throws abut::Error if the port is taken.
  LocalServer(std::uint16_t port, Handler answer);
  ~LocalServer();
  LocalServer(const LocalServer&) = delete;
  LocalServer& operator=(const LocalServer&) = delete;

  [[nodiscard]] std::uint16_t getPort() const { return port_; }

  /// The whole response to a request head; for tests of the rules above.
  [[nodiscard]] std::string respond(const std::string& request) const;

private:
  struct Client;

  void serve();
  bool receive(Client& client) const;

  Handler answer_;
  int listener_ = -1;
  int wake_[2] = {-1, -1};
  std::uint16_t port_ = 0;
  std::thread thread_;
};

}  // namespace abut::tool
