// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace abut::inline v0_1 {

/// Memory that the stages of a step have one after the other: what one takes is gone when the next
/// begins. What lives longer than a stage lives elsewhere, and no bit depends on what was there.
///
/// A step that takes about as much as the last one allocates nothing.
class StageRoom {
public:
  /// A step begins: what the last one did not need goes.
  void beginStep() {
    endStage();
    constexpr std::size_t kFew = 1u << 16u;
    if (!more_.empty() || size_ > most_ + most_ / 4 + kFew) makeBlock(most_ + most_ / 16);
    most_ = 0;
  }
  /// A stage begins: all that was taken is gone. If memory runs out it throws std::bad_alloc.
  void beginStage() {
    endStage();
    if (!more_.empty()) makeBlock(most_ + most_ / 16);
  }
  /// So many items that hold whatever was there before. They stay where they are until the next
  /// stage begins. If memory runs out it throws std::bad_alloc.
  template <class T>
  [[nodiscard]] std::span<T> take(std::size_t count) {
    static_assert(std::is_trivially_destructible_v<T> && alignof(T) <= kAlignment);
    return {reinterpret_cast<T*>(takeBytes(count * sizeof(T))), count};
  }
  /// Nothing is left of it.
  void reset() noexcept {
    block_.reset();
    std::vector<Block>().swap(more_);
    size_ = used_ = most_ = 0;
  }

private:
  static constexpr std::size_t kAlignment = 64;
  struct Free {
    void operator()(std::byte* bytes) const {
      ::operator delete (bytes, std::align_val_t{kAlignment});
    }
  };
  using Block = std::unique_ptr<std::byte, Free>;

  static Block blockOf(std::size_t size) {
    return Block(static_cast<std::byte*>(::operator new (size, std::align_val_t{kAlignment})));
  }
  void endStage() {
#ifndef NDEBUG
    // So that tests see what is used beyond its stage or before it is written.
    if (block_) std::memset(block_.get(), 0xa5, used_ < size_ ? used_ : size_);
#endif
    most_ = used_ > most_ ? used_ : most_;
    used_ = 0;
  }
  void makeBlock(std::size_t size) {
    const std::size_t most = most_;
    reset();
    block_ = blockOf(size);
    size_ = size;
    most_ = most;
  }
  std::byte* takeBytes(std::size_t bytes) {
    const std::size_t size = (bytes + kAlignment - 1) / kAlignment * kAlignment, at = used_;
    if (at + size <= size_) {
      used_ += size;
      return block_.get() + at;
    }
    // Beside the block, until the next stage has one for all.
    more_.push_back(blockOf(size));
    used_ += size;
    return more_.back().get();
  }

  Block block_;
  std::vector<Block> more_;
  std::size_t size_ = 0, used_ = 0;  // Of the block; in this stage, also beside it.
  std::size_t most_ = 0;             // Of a stage in this step.
};

/// A list in a room; where there is none, in memory of its own, which it keeps. Items hold whatever
/// was there before they are written. Copies are empty: a stage's items end with it.
template <class T>
class RoomList {
public:
  using value_type = T;

  RoomList() = default;
  RoomList(const RoomList&) {}
  RoomList& operator=(const RoomList& other) {
    if (this != &other) clear();
    return *this;
  }
  RoomList(RoomList&& other) noexcept { swap(other); }
  RoomList& operator=(RoomList&& other) noexcept {
    RoomList taken(std::move(other));
    swap(taken);
    return *this;
  }
  ~RoomList() = default;

  /// Empty, with room for so many; a room is asked for more where there are more.
  void start(StageRoom* room, std::size_t count) {
    room_ = room;
    count_ = 0;
    if (room != nullptr) {
      items_ = room->take<T>(count);
      std::vector<T>().swap(own_);
    } else {
      makeOwn(count, count / 16);
    }
  }
  /// So many items.
  void take(StageRoom* room, std::size_t count) {
    start(room, count);
    count_ = count;
  }
  void clear() { count_ = 0; }
  void append(const T& item) {
    if (count_ == items_.size()) grow(count_ + count_ / 4 + 8);
    items_[count_++] = item;
  }
  /// Keeps what is there.
  void resize(std::size_t count) {
    if (count > items_.size()) grow(count);
    count_ = count;
  }

  [[nodiscard]] std::size_t size() const { return count_; }
  [[nodiscard]] bool empty() const { return count_ == 0; }
  [[nodiscard]] T* data() { return items_.data(); }
  [[nodiscard]] const T* data() const { return items_.data(); }
  [[nodiscard]] T* begin() { return items_.data(); }
  [[nodiscard]] T* end() { return items_.data() + count_; }
  [[nodiscard]] const T* begin() const { return items_.data(); }
  [[nodiscard]] const T* end() const { return items_.data() + count_; }
  [[nodiscard]] T& operator[](std::size_t i) { return items_[i]; }
  [[nodiscard]] const T& operator[](std::size_t i) const { return items_[i]; }
  [[nodiscard]] std::span<const T> view() const { return {items_.data(), count_}; }
  void swap(RoomList& other) noexcept {
    own_.swap(other.own_);
    std::swap(items_, other.items_);
    std::swap(count_, other.count_);
    std::swap(room_, other.room_);
  }

private:
  /// What there was is lost where there is too little.
  void makeOwn(std::size_t count, std::size_t more) {
    if (own_.size() < count) {
      std::vector<T>().swap(own_);
      own_.resize(count + more);
    }
    items_ = own_;
  }
  void grow(std::size_t count) {
    if (room_ == nullptr) {
      own_.resize(count);
      items_ = own_;
      return;
    }
    const std::span<T> larger = room_->take<T>(count);
    for (std::size_t i = 0; i < count_; ++i) larger[i] = items_[i];
    items_ = larger;
  }

  std::vector<T> own_;
  std::span<T> items_;  // All that there is room for; the first count_ are live.
  std::size_t count_ = 0;
  StageRoom* room_ = nullptr;
};

}  // namespace abut::inline v0_1
