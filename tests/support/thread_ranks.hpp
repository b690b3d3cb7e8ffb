// SPDX-License-Identifier: MIT
#pragma once

#include <condition_variable>
#include <cstring>
#include <deque>
#include <exception>
#include <map>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include <abut/core/communicator.hpp>

namespace abut::test {

/// Ranks that are threads of one process: what they send goes through one store. A rank that throws
/// ends all of them.
class ThreadRanks {
public:
  explicit ThreadRanks(int size)
      : size_(size),
        arrived_(static_cast<std::size_t>(size)),
        slots_(static_cast<std::size_t>(size)) {}

  /// Calls rank(communicator) for each, on threads of their own; throws what one of them threw.
  template <class Rank>
  void run(Rank&& rank) {
    std::vector<std::thread> threads;
    for (int r = 0; r < size_; ++r) {
      threads.emplace_back([this, r, &rank] {
        One one(*this, r);
        try {
          rank(static_cast<Communicator&>(one));
        } catch (...) {
          const std::lock_guard<std::mutex> lock(mutex_);
          if (!failure_) failure_ = std::current_exception();
          broken_ = true;
          changed_.notify_all();
          for (std::condition_variable& arrived : arrived_) arrived.notify_all();
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    if (failure_) std::rethrow_exception(failure_);
  }

private:
  using Bytes = Communicator::Bytes;

  class One final : public Communicator {
  public:
    One(ThreadRanks& all, int rank) : all_(all), rank_(rank) {}
    [[nodiscard]] int getRank() const override { return rank_; }
    [[nodiscard]] int getSize() const override { return all_.size_; }
    void exchange(const std::vector<Bytes>& out, std::vector<Bytes>& in) override {
      ++traffic_.rounds;
      for (int r = 0; r < all_.size_; ++r) send(r, out.at(static_cast<std::size_t>(r)));
      in.resize(out.size());
      for (int r = 0; r < all_.size_; ++r) in[static_cast<std::size_t>(r)] = all_.take(r, rank_);
    }
    // Of messages, not of objects. NOLINTNEXTLINE(bugprone-exception-escape)
    void swap(std::span<const Outgoing> out, std::span<const Incoming> in) override {
      ++traffic_.rounds;
      for (const Outgoing& m : out) send(m.rank, {m.bytes.begin(), m.bytes.end()});
      for (const Incoming& m : in) {
        const Bytes bytes = all_.take(m.rank, rank_);
        if (bytes.size() != m.bytes.size()) throw std::runtime_error("a message of another length");
        std::memcpy(m.bytes.data(), bytes.data(), bytes.size());
      }
    }
    void gatherAll(std::span<const std::byte> mine, std::vector<Bytes>& all) override {
      ++traffic_.reductions;
      all_.meet(rank_, {mine.begin(), mine.end()}, all);
    }
    void add(std::span<std::uint64_t> numbers) override {
      reduce(numbers, [](std::uint64_t a, std::uint64_t b) { return a + b; });
    }
    void greatest(std::span<double> numbers) override {
      reduce(numbers, [](double a, double b) { return a < b ? b : a; });
    }
    [[nodiscard]] Traffic getTraffic() const override { return traffic_; }

  private:
    void send(int to, Bytes bytes) {
      if (to != rank_ && !bytes.empty()) {
        ++traffic_.messages;
        traffic_.bytes += bytes.size();
      }
      all_.post(rank_, to, std::move(bytes));
    }
    template <class T, class Two>
    void reduce(std::span<T> numbers, Two&& two) {
      ++traffic_.reductions;
      const auto bytes = std::as_bytes(numbers);
      std::vector<Bytes> all;
      all_.meet(rank_, {bytes.begin(), bytes.end()}, all);
      for (std::size_t i = 0; i < numbers.size(); ++i) {
        T value{};
        for (std::size_t r = 0; r < all.size(); ++r) {
          T one{};
          if (all[r].size() != bytes.size()) throw std::runtime_error("sums of other lengths");
          std::memcpy(&one, all[r].data() + i * sizeof(T), sizeof one);
          value = r == 0 ? one : two(value, one);
        }
        numbers[i] = value;
      }
    }
    ThreadRanks& all_;
    int rank_;
    Traffic traffic_;
  };

  void post(int from, int to, Bytes bytes) {
    const std::lock_guard<std::mutex> lock(mutex_);
    mail_[{from, to}].push_back(std::move(bytes));
    arrived_[static_cast<std::size_t>(to)].notify_one();
  }
  Bytes take(int from, int to) {
    std::unique_lock<std::mutex> lock(mutex_);
    std::deque<Bytes>& box = mail_[{from, to}];
    arrived_[static_cast<std::size_t>(to)].wait(lock, [&] { return broken_ || !box.empty(); });
    if (broken_) throw std::runtime_error("another rank failed");
    Bytes bytes = std::move(box.front());
    box.pop_front();
    return bytes;
  }
  /// Everybody gives something and gets what all gave.
  void meet(int rank, Bytes mine, std::vector<Bytes>& all) {
    std::unique_lock<std::mutex> lock(mutex_);
    const auto wait = [&](auto&& until) {
      changed_.wait(lock, [&] { return broken_ || until(); });
      if (broken_) throw std::runtime_error("another rank failed");
    };
    wait([&] { return !is_leaving_; });
    slots_[static_cast<std::size_t>(rank)] = std::move(mine);
    if (++there_ == size_) {
      is_leaving_ = true;
      changed_.notify_all();
    }
    wait([&] { return is_leaving_; });
    all = slots_;
    if (--there_ == 0) {
      is_leaving_ = false;
      changed_.notify_all();
    }
  }

  int size_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::condition_variable> arrived_;  // By rank: there is mail.
  std::map<std::pair<int, int>, std::deque<Bytes>> mail_;
  std::vector<Bytes> slots_;
  int there_ = 0;
  bool is_leaving_ = false, broken_ = false;
  std::exception_ptr failure_;
};

}  // namespace abut::test
