// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include <abut/core/communicator.hpp>

namespace abut::inline v0_1 {

/// The ranks of an MPI program (MPI_COMM_WORLD). Needs the library abut_mpi.
///
/// One at a time. It starts MPI, unless the program did, and ends what it started. A rank that
/// dies, or cannot go on, ends all of them with a message: MPI has no state to go back to.
class MpiCommunicator final : public Communicator {
public:
  MpiCommunicator();
  ~MpiCommunicator() override;
  MpiCommunicator(const MpiCommunicator&) = delete;
  MpiCommunicator& operator=(const MpiCommunicator&) = delete;

  /// Whether the program was started by mpirun or its like. Starts nothing.
  [[nodiscard]] static bool isStarted();

  [[nodiscard]] int getRank() const override;
  [[nodiscard]] int getSize() const override;
  void exchange(const std::vector<Bytes>& out, std::vector<Bytes>& in) override;
  void swap(std::span<const Outgoing> out, std::span<const Incoming> in) override;
  void gatherAll(std::span<const std::byte> mine, std::vector<Bytes>& all) override;
  void add(std::span<std::uint64_t> numbers) override;
  void greatest(std::span<double> numbers) override;
  [[nodiscard]] Traffic getTraffic() const override;
  /// Ends all ranks at once with an exit status; for a rank that cannot go on.
  [[noreturn]] void endAll(int status);

private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace abut::inline v0_1
