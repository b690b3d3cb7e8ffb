// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace abut::tool {

/// What a request asks for, and what it is answered.
struct HttpAnswer {
  int status = 200;
  std::string type = "application/octet-stream";
  std::shared_ptr<const std::string> body;  ///< Never null; equal answers share one.
};

/// The whole response to a request: its head, then its body.
struct HttpResponse {
  std::string head;
  std::shared_ptr<const std::string> body;
};

/// A server for pages of this machine: listens on 127.0.0.1 only, answers GET and HEAD only,
/// refuses requests whose Host or Origin names another place (so that a foreign page cannot read
/// through the browser), keeps no connection open. One thread, no blocking reads; clients that do
/// not read their answers give way to others.
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

  [[nodiscard]] HttpResponse respond(const std::string& request) const;

private:
  struct Client;

  void serve();
  bool receive(Client& client) const;
  void acceptAll(std::vector<std::unique_ptr<Client>>& clients) const;

  Handler answer_;
  int listener_ = -1;
  int wake_[2] = {-1, -1};
  std::uint16_t port_ = 0;
  std::thread thread_;
};

}  // namespace abut::tool
