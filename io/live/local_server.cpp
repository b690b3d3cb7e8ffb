// SPDX-License-Identifier: MIT
#include "io/live/local_server.hpp"

#include <algorithm>
#include <arpa/inet.h>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <fmt/format.h>

#include <abut/core/status.hpp>

namespace abut::inline v0_1::io {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kLongestRequest = 8192;
constexpr std::size_t kLongestBody = 4096;
constexpr std::size_t kMostClients = 64;
constexpr auto kPatience = std::chrono::seconds(10);

const char* reasonOf(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 204:
      return "No Content";
    case 400:
      return "Bad Request";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 413:
      return "Content Too Large";
    default:
      return "Error";
  }
}

HttpResponse format(const HttpAnswer& answer) {
  // An answer without content has no length either.
  const std::string content = answer.status == 204
                                  ? std::string()
                                  : fmt::format("Content-Type: {}\r\nContent-Length: {}\r\n",
                                                answer.type, answer.body->size());
  return {fmt::format(
              "HTTP/1.1 {} {}\r\n{}Cache-Control: no-store\r\n"
              "X-Content-Type-Options: nosniff\r\nCross-Origin-Resource-Policy: same-origin\r\n"
              "X-Frame-Options: DENY\r\nReferrer-Policy: no-referrer\r\nConnection: close\r\n\r\n",
              answer.status, reasonOf(answer.status), content),
          answer.body};
}

HttpResponse refuse(int status, const std::string& why) {
  return format({status, "text/plain; charset=utf-8", std::make_shared<std::string>(why + "\n")});
}

/// Value of a header (name in lower case), or "" if there is none. `count` is how often it stands.
std::string headerOf(const std::string& request, const std::string& name, int& count) {
  std::string found;
  count = 0;
  std::size_t at = request.find("\r\n");
  while (at != std::string::npos) {
    const std::size_t begin = at + 2, end = request.find("\r\n", begin);
    if (end == std::string::npos || end == begin) break;
    const std::size_t colon = request.find(':', begin);
    if (colon != std::string::npos && colon < end) {
      std::string key = request.substr(begin, colon - begin);
      std::transform(key.begin(), key.end(), key.begin(),
                     [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
      if (key == name) {
        ++count;
        const std::size_t value = request.find_first_not_of(" \t", colon + 1);
        found = value < end ? request.substr(value, end - value) : "";
      }
    }
    at = end;
  }
  return found;
}

/// Bytes of the body that a request announces; SIZE_MAX if it does not say so properly.
std::size_t bodySize(const std::string& request) {
  int count = 0;
  headerOf(request, "transfer-encoding", count);
  if (count > 0) return SIZE_MAX;
  const std::string length = headerOf(request, "content-length", count);
  if (count == 0) return 0;
  if (count > 1 || length.empty() || length.size() > 9 ||
      length.find_first_not_of("0123456789") != std::string::npos)
    return SIZE_MAX;
  return std::stoul(length);
}

void pauseAWhile() {
  constexpr int kMilliseconds = 20;
  ::poll(nullptr, 0, kMilliseconds);
}

void makeNonBlocking(int socket) {
  ::fcntl(socket, F_SETFL, ::fcntl(socket, F_GETFL, 0) | O_NONBLOCK);
  ::fcntl(socket, F_SETFD, FD_CLOEXEC);
}

}  // namespace

struct LocalServer::Client {
  int socket = -1;
  std::string in;
  HttpResponse out;
  std::size_t sent = 0;
  Clock::time_point since = Clock::now();  // When it last read or wrote.

  Client() = default;
  [[nodiscard]] std::size_t size() const {
    return out.body ? out.head.size() + out.body->size() : 0;
  }
  /// What is to be sent next.
  [[nodiscard]] std::string_view rest() const {
    const std::size_t head = out.head.size();
    return sent < head ? std::string_view(out.head).substr(sent)
                       : std::string_view(*out.body).substr(sent - head);
  }
  ~Client() {
    if (socket >= 0) ::close(socket);
  }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;
};

LocalServer::LocalServer(std::uint16_t port, Handler answer) : answer_(std::move(answer)) {
  listener_ = ::socket(AF_INET, SOCK_STREAM, 0);
  const int on = 1;
  ::setsockopt(listener_, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  if (listener_ < 0 ||
      ::bind(listener_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      ::listen(listener_, 32) != 0 ||
      ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size) != 0 ||
      ::pipe(wake_) != 0) {
    const std::string why = std::strerror(errno);
    if (listener_ >= 0) ::close(listener_);
    throw Error(StatusCode::OutOfRange,
                fmt::format("port {} of 127.0.0.1: {}; give another --port, or 0 for a free one",
                            port, why));
  }
  makeNonBlocking(listener_);
  port_ = ntohs(address.sin_port);
  thread_ = std::thread([this] { serve(); });
}

LocalServer::~LocalServer() {
  const char stop = 0;
  if (::write(wake_[1], &stop, 1) == 1) thread_.join();
  for (const int handle : {listener_, wake_[0], wake_[1]}) ::close(handle);
}

HttpResponse LocalServer::respond(const std::string& request) const {
  const std::size_t line = request.find("\r\n");
  const std::size_t first = request.find(' '), second = request.find(' ', first + 1);
  if (line == std::string::npos || first == std::string::npos || second == std::string::npos ||
      second > line || request.compare(second + 1, 7, "HTTP/1.") != 0)
    return refuse(400, "not an HTTP/1 request");
  const bool head = request.compare(0, first, "HEAD") == 0;
  HttpRequest asked;
  asked.isPost = request.compare(0, first, "POST") == 0;
  if (!head && !asked.isPost && request.compare(0, first, "GET") != 0)
    return refuse(405, "only GET, HEAD and POST");
  const std::string here = fmt::format("127.0.0.1:{}", port_);
  const std::string alias = fmt::format("localhost:{}", port_);
  int count = 0;
  const std::string host = headerOf(request, "host", count);
  if (count != 1 || (host != here && host != alias))
    return refuse(403, fmt::format("Host must be {}", here));
  const std::string origin = headerOf(request, "origin", count);
  if (count > 1 || (count == 1 && origin != "http://" + here && origin != "http://" + alias))
    return refuse(403, "pages of other origins may not read here");
  const std::string target = request.substr(first + 1, second - first - 1);
  const std::size_t mark = target.find('?');
  asked.path = target.substr(0, mark);
  if (mark != std::string::npos) asked.query = target.substr(mark + 1);
  asked.token = headerOf(request, "x-abut-token", count);
  if (count > 1) return refuse(400, "more than one token");
  const std::size_t size = bodySize(request);
  if (size == SIZE_MAX) return refuse(400, "Content-Length must say how long the body is");
  if (size > kLongestBody)
    return refuse(413, fmt::format("a body of at most {} bytes is read", kLongestBody));
  if (asked.isPost) asked.body = request.substr(request.find("\r\n\r\n") + 4, size);
  HttpResponse response = format(answer_(asked));
  if (head) response.body = std::make_shared<std::string>();
  return response;
}

/// Reads what is there; false if the client is to be dropped.
bool LocalServer::receive(Client& client) const {
  char buffer[4096];
  const ssize_t n = ::recv(client.socket, buffer, sizeof buffer, 0);
  if (n == 0) return false;
  if (n < 0) return errno == EAGAIN || errno == EINTR;
  client.in.append(buffer, static_cast<std::size_t>(n));
  const std::size_t end = client.in.find("\r\n\r\n");
  if (end == std::string::npos) return client.in.size() <= kLongestRequest;
  const std::size_t body = bodySize(client.in);
  if (body <= kLongestBody && client.in.size() < end + 4 + body) return true;
  client.since = Clock::now();
  try {
    client.out = respond(client.in);
  } catch (const std::exception& error) {
    client.out = refuse(400, error.what());
  }
  return true;
}

/// Takes all who wait. Where there are too many, who has been silent longest goes.
void LocalServer::acceptAll(std::vector<std::unique_ptr<Client>>& clients) const {
  clients.reserve(kMostClients);
  while (true) {
    auto client = std::make_unique<Client>();  // Before there is a socket that could be lost.
    client->socket = ::accept(listener_, nullptr, nullptr);
    if (client->socket < 0) break;
    makeNonBlocking(client->socket);
    if (clients.size() >= kMostClients) {
      clients.erase(
          std::min_element(clients.begin(), clients.end(),
                           [](const auto& a, const auto& b) { return a->since < b->since; }));
    }
    clients.push_back(std::move(client));
  }
  // Without a number for another file who waits would wake this thread again and again.
  if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) pauseAWhile();
}

void LocalServer::serve() {
  std::vector<std::unique_ptr<Client>> clients;
  while (true) {
    try {
      if (!serve(clients)) return;
    } catch (const std::exception&) {
      // No memory: whoever asked may ask again. The program that is looked at goes on.
      clients.clear();
      pauseAWhile();
    }
  }
}

/// One round; false if it was the last.
bool LocalServer::serve(std::vector<std::unique_ptr<Client>>& clients) const {
  const auto send = [](Client& client) {
    const std::string_view rest = client.rest();
    const ssize_t n = ::send(client.socket, rest.data(), rest.size(), MSG_NOSIGNAL);
    if (n < 0) return errno == EAGAIN || errno == EINTR;
    client.sent += static_cast<std::size_t>(n);
    client.since = Clock::now();
    if (client.sent < client.size()) return true;
    ::shutdown(client.socket, SHUT_WR);
    return false;
  };
  std::vector<pollfd> polled{{wake_[0], POLLIN, 0}, {listener_, POLLIN, 0}};
  for (const auto& client : clients) {
    const int events = client->size() == 0 ? POLLIN : POLLOUT;
    polled.push_back({client->socket, static_cast<short>(events), 0});
  }
  ::poll(polled.data(), polled.size(), 1000);
  if (polled[0].revents != 0) return false;
  for (std::size_t i = 0; i < clients.size(); ++i) {
    const short events = polled[i + 2].revents;
    bool keep = Clock::now() - clients[i]->since < kPatience;
    if ((events & (POLLERR | POLLNVAL)) != 0) keep = false;
    if (keep && (events & POLLOUT) != 0)
      keep = send(*clients[i]);
    else if (keep && (events & (POLLIN | POLLHUP)) != 0)
      keep = receive(*clients[i]);
    if (!keep) clients[i].reset();
  }
  clients.erase(std::remove(clients.begin(), clients.end(), nullptr), clients.end());
  if (polled[1].revents != 0) acceptAll(clients);
  return true;
}

}  // namespace abut::inline v0_1::io
