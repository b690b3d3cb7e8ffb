// SPDX-License-Identifier: MIT
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <cstdlib>
#include <mpi.h>
#include <string>

#include <climits>

#include <abut/core/status.hpp>
#include <abut/mpi/mpi_communicator.hpp>

namespace abut::inline v0_1 {
namespace {

constexpr int kTag = 1, kExchangeTag = 2;

/// MPI counts in int.
int lengthOf(std::size_t bytes) {
  if (bytes > static_cast<std::size_t>(INT_MAX)) {
    throw Error(StatusCode::LimitExceeded,
                "MpiCommunicator: a message of " + std::to_string(bytes) +
                    " bytes is longer than MPI counts; divide the world among more ranks");
  }
  return static_cast<int>(bytes);
}

}  // namespace

struct MpiCommunicator::Impl {
  MPI_Comm comm = MPI_COMM_NULL;
  int rank = 0, size = 1;
  int parity = 0;  // Of the next exchange.
  bool started = false;
  Traffic traffic;
  std::vector<MPI_Request> requests;

  /// A message of this tag, if one has come.
  bool receiveAny(int tag, std::vector<Bytes>& in) {
    int isThere = 0;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, tag, comm, &isThere, &status);
    if (isThere == 0) return false;
    int length = 0;
    MPI_Get_count(&status, MPI_BYTE, &length);
    Bytes& bytes = in[static_cast<std::size_t>(status.MPI_SOURCE)];
    bytes.resize(static_cast<std::size_t>(length));
    MPI_Recv(bytes.data(), length, MPI_BYTE, status.MPI_SOURCE, tag, comm, MPI_STATUS_IGNORE);
    return true;
  }
};

bool MpiCommunicator::isStarted() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK"}) {
    if (std::getenv(name) != nullptr) return true;
  }
  return false;
}

MpiCommunicator::MpiCommunicator() : impl_(std::make_unique<Impl>()) {
  int isThere = 0;
  MPI_Initialized(&isThere);
  if (isThere == 0) {
    int provided = 0;
    // Only the thread that makes the steps calls MPI.
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
    impl_->started = true;
  }
  MPI_Comm_dup(MPI_COMM_WORLD, &impl_->comm);
  MPI_Comm_rank(impl_->comm, &impl_->rank);
  MPI_Comm_size(impl_->comm, &impl_->size);
}

MpiCommunicator::~MpiCommunicator() {
  int isOver = 0;
  MPI_Finalized(&isOver);
  if (isOver != 0) return;
  MPI_Comm_free(&impl_->comm);
  if (impl_->started) MPI_Finalize();
}

int MpiCommunicator::getRank() const {
  return impl_->rank;
}
int MpiCommunicator::getSize() const {
  return impl_->size;
}
Communicator::Traffic MpiCommunicator::getTraffic() const {
  return impl_->traffic;
}

/// Nobody knows from whom something comes. Every rank receives what it finds until all ranks say
/// that what they sent has been received: so it takes messages to those that are sent something,
/// and a barrier, and no list of all ranks goes from rank to rank.
void MpiCommunicator::exchange(const std::vector<Bytes>& out, std::vector<Bytes>& in) {
  const auto size = static_cast<std::size_t>(impl_->size);
  in.resize(size);
  for (Bytes& bytes : in) bytes.clear();
  // Others may have begun the next exchange while this one is not over here; none can have begun
  // the one after that.
  for (const Bytes& bytes : out) (void)lengthOf(bytes.size());  // None is under way if it throws.
  impl_->parity = 1 - impl_->parity;
  const int tag = kExchangeTag + impl_->parity;
  std::vector<MPI_Request>& sends = impl_->requests;
  sends.clear();
  for (std::size_t r = 0; r < size; ++r) {
    if (out[r].empty()) continue;
    if (static_cast<int>(r) == impl_->rank) {
      in[r] = out[r];
      continue;
    }
    sends.emplace_back();
    MPI_Issend(out[r].data(), lengthOf(out[r].size()), MPI_BYTE, static_cast<int>(r), tag,
               impl_->comm, &sends.back());
    ++impl_->traffic.messages;
    impl_->traffic.bytes += out[r].size();
  }
  ++impl_->traffic.rounds;
  MPI_Request all = MPI_REQUEST_NULL;
  for (int isOver = 0, isSent = 0; isOver == 0;) {
    if (impl_->receiveAny(tag, in)) continue;
    if (isSent != 0) {
      MPI_Test(&all, &isOver, MPI_STATUS_IGNORE);
      continue;
    }
    MPI_Testall(static_cast<int>(sends.size()), sends.data(), &isSent, MPI_STATUSES_IGNORE);
    if (isSent != 0) MPI_Ibarrier(impl_->comm, &all);
  }
}

void MpiCommunicator::swap(std::span<const Outgoing> out, std::span<const Incoming> in) {
  std::vector<MPI_Request>& requests = impl_->requests;
  requests.resize(out.size() + in.size());
  std::size_t count = 0;
  for (const Incoming& m : in) {
    MPI_Irecv(m.bytes.data(), lengthOf(m.bytes.size()), MPI_BYTE, m.rank, kTag, impl_->comm,
              &requests[count++]);
  }
  for (const Outgoing& m : out) {
    MPI_Isend(m.bytes.data(), lengthOf(m.bytes.size()), MPI_BYTE, m.rank, kTag, impl_->comm,
              &requests[count++]);
    ++impl_->traffic.messages;
    impl_->traffic.bytes += m.bytes.size();
  }
  ++impl_->traffic.rounds;
  MPI_Waitall(static_cast<int>(count), requests.data(), MPI_STATUSES_IGNORE);
}

void MpiCommunicator::gatherAll(std::span<const std::byte> mine, std::vector<Bytes>& all) {
  const auto size = static_cast<std::size_t>(impl_->size);
  const int length = lengthOf(mine.size());
  std::vector<int> lengths(size), places(size);
  MPI_Allgather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, impl_->comm);
  std::size_t total = 0;
  for (std::size_t r = 0; r < size; ++r) {
    places[r] = lengthOf(total);
    total += static_cast<std::size_t>(lengths[r]);
  }
  (void)lengthOf(total);
  Bytes together(total);
  MPI_Allgatherv(mine.data(), length, MPI_BYTE, together.data(), lengths.data(), places.data(),
                 MPI_BYTE, impl_->comm);
  all.resize(size);
  for (std::size_t r = 0; r < size; ++r) {
    const auto from = together.begin() + places[r];
    all[r].assign(from, from + lengths[r]);
  }
  ++impl_->traffic.reductions;
}

void MpiCommunicator::add(std::span<std::uint64_t> numbers) {
  MPI_Allreduce(MPI_IN_PLACE, numbers.data(), lengthOf(numbers.size()), MPI_UINT64_T, MPI_SUM,
                impl_->comm);
  ++impl_->traffic.reductions;
}

void MpiCommunicator::greatest(std::span<double> numbers) {
  MPI_Allreduce(MPI_IN_PLACE, numbers.data(), lengthOf(numbers.size()), MPI_DOUBLE, MPI_MAX,
                impl_->comm);
  ++impl_->traffic.reductions;
}

void MpiCommunicator::endAll(int status) {
  MPI_Abort(impl_->comm, status);
  std::abort();
}

}  // namespace abut::inline v0_1
