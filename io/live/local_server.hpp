// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace abut::inline v0_1::io {

/// What a client asks for.
struct HttpRequest {
  bool isPost = false;  ///< Else GET or HEAD.
  std::string path;     ///< "/frames"
  std::string query;    ///< "from=3"
  std::string token;    ///< Of the header X-Abut-Token, "" if there is none.
  std::string body;     ///< Of a POST.
};

/// What it is answered.
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

/// A server for pages of this machine: listens on 127.0.0.1 only, answers GET, HEAD and small
/// POSTs, refuses requests whose Host or Origin names another place (so that a foreign page cannot
/// read or change anything through the browser), keeps no connection open. One thread, no blocking
/// reads; clients that do not read their answers give way to others.
class LocalServer {
public:
  /// Called in the server's thread. Whether a POST may do what it wants is the handler's to judge.
  using Handler = std::function<HttpAnswer(const HttpRequest& request)>;

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
  bool serve(std::vector<std::unique_ptr<Client>>& clients) const;
  bool receive(Client& client) const;
  void acceptAll(std::vector<std::unique_ptr<Client>>& clients) const;

  Handler answer_;
  int listener_ = -1;
  int wake_[2] = {-1, -1};
  std::uint16_t port_ = 0;
  std::thread thread_;
};

}  // namespace abut::inline v0_1::io
