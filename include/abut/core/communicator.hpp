// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace abut::inline v0_1 {

/// How the ranks among which a world is divided talk to each other: each is a process of its own,
/// on any machine, and all of them make the same calls in the same order.
///
/// A result never depends on who computed it, so it is the same bits for every number of ranks.
/// MpiCommunicator (abut_mpi) is one on MPI. What goes wrong between ranks is thrown by the
/// implementation, or ends the program: there is no state to go back to.
class Communicator {
public:
  using Bytes = std::vector<std::byte>;
  /// A message to or from a rank, of a length that both know.
  struct Outgoing {
    int rank = 0;
    std::span<const std::byte> bytes;
  };
  struct Incoming {
    int rank = 0;
    std::span<std::byte> bytes;
  };
  /// What this rank sent so far.
  struct Traffic {
    std::uint64_t messages = 0, bytes = 0;  ///< From rank to rank; reductions are not in them.
    std::uint64_t rounds = 0;               ///< Calls of swap() and exchange().
    std::uint64_t reductions = 0;           ///< Calls of add(), greatest() and gatherAll().
  };

  virtual ~Communicator() = default;
  /// From 0 to getSize() - 1.
  [[nodiscard]] virtual int getRank() const = 0;
  [[nodiscard]] virtual int getSize() const = 0;
  /// out[r] goes to rank r, in[r] comes from it; out has getSize() entries. All ranks call it.
  virtual void exchange(const std::vector<Bytes>& out, std::vector<Bytes>& in) = 0;
  /// Messages of known length, at most one from each rank to each other. Only ranks that send or
  /// receive call it. It returns when all are there.
  virtual void swap(std::span<const Outgoing> out, std::span<const Incoming> in) = 0;
  /// all[r] becomes what rank r gives. All ranks call it.
  virtual void gatherAll(std::span<const std::byte> mine, std::vector<Bytes>& all) = 0;
  /// Every number becomes its sum over the ranks, modulo 2^64. All ranks call it.
  virtual void add(std::span<std::uint64_t> numbers) = 0;
  /// Every number becomes the greatest of all ranks; none is NaN. All ranks call it.
  virtual void greatest(std::span<double> numbers) = 0;
  [[nodiscard]] virtual Traffic getTraffic() const = 0;

protected:
  Communicator() = default;
  Communicator(const Communicator&) = default;
  Communicator& operator=(const Communicator&) = default;
};

}  // namespace abut::inline v0_1
