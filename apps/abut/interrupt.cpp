// SPDX-License-Identifier: MIT
#include "interrupt.hpp"

#include <csignal>
#include <signal.h>

namespace abut::tool {
namespace {

constexpr int kSignalBase = 128;
volatile std::sig_atomic_t wanted = 0;

extern "C" void remember(int signal) {
  wanted = signal;
}

}  // namespace

Interrupt::Interrupt() {
  wanted = 0;
  struct sigaction action = {};
  action.sa_handler = remember;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  // The terminal is gone; under nohup that is to be ignored.
  struct sigaction hangUp = {};
  if (sigaction(SIGHUP, nullptr, &hangUp) == 0 && hangUp.sa_handler != SIG_IGN)
    sigaction(SIGHUP, &action, nullptr);
}

Interrupt::~Interrupt() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
  struct sigaction hangUp = {};
  if (sigaction(SIGHUP, nullptr, &hangUp) == 0 && hangUp.sa_handler == remember)
    std::signal(SIGHUP, SIG_DFL);
}

bool Interrupt::isWanted() {
  return wanted != 0;
}

int Interrupt::exitCode() {
  return kSignalBase + static_cast<int>(wanted);
}

}  // namespace abut::tool
