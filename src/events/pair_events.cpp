// SPDX-License-Identifier: MIT
#include "events/pair_events.hpp"

#include <algorithm>

#include <abut/math/convert.hpp>

#include "math/closing.hpp"

namespace abut::inline v0_1 {
namespace {

/// Contacts that a thread takes at once, about.
constexpr std::size_t kContactGrain = 1024;

/// Room for so many, and not for twice as many.
[[gnu::noinline]] void makeRoom(std::size_t count, std::vector<ContactEvent>& events) {
  if (events.capacity() < count) events.reserve(count + count / 8 + 16);
}

ContactEvent eventOf(ContactEvent::Kind kind, const ObjectPair& pair, double since) {
  ContactEvent event;
  event.kind = kind;
  event.object1 = pair.first;
  event.object2 = pair.second;
  event.since = since;
  return event;
}

}  // namespace

void PairEvents::collect(std::span<const ContactFacts> contacts, double start, double dt,
                         TaskRunner* tasks, std::vector<ContactEvent>& events) {
  if (tasks == nullptr || contacts.size() <= kContactGrain) {
    if (events.capacity() == 0) makeRoom(now_.size(), events);  // As many as there were before.
    return collectPart(contacts, start, dt, events);
  }
  std::size_t count = 0, total = 0;
  for (std::size_t begin = 0; begin < contacts.size(); ++count) {
    std::size_t end = std::min(begin + kContactGrain, contacts.size());
    while (end < contacts.size() && contacts[end].pair == contacts[end - 1].pair) ++end;
    if (parts_.size() == count) parts_.emplace_back();
    parts_[count].begin = begin;
    parts_[count].end = begin = end;
  }
  forChunks(tasks, count, 1, [&](std::size_t i, std::size_t) {
    Part& part = parts_[i];
    collectPart(contacts.subspan(part.begin, part.end - part.begin), start, dt, part.events);
  });
  for (std::size_t i = 0; i < count; ++i) {
    parts_[i].first = total;
    total += parts_[i].events.size();
  }
  events.resize(total);
  forChunks(tasks, count, 1, [&](std::size_t i, std::size_t) {
    std::copy(parts_[i].events.begin(), parts_[i].events.end(),
              events.begin() + static_cast<std::ptrdiff_t>(parts_[i].first));
  });
}

void PairEvents::collectPart(std::span<const ContactFacts> contacts, double start, double dt,
                             std::vector<ContactEvent>& events) {
  events.clear();
  for (std::size_t i = 0; i < contacts.size();) {
    const ObjectPair pair = contacts[i].pair;
    Vec3 impulse;
    double normalImpulse = 0.0, first = dt;
    bool touches = false;
    for (; i < contacts.size() && contacts[i].pair == pair; ++i) {
      const ContactFacts& c = contacts[i];
      impulse += c.impulse;
      normalImpulse += c.normalImpulse;
      if (c.impulse == Vec3{} && c.depth < -kTouching) continue;
      touches = true;
      first = minOf(first, c.late + timeToClose(-c.depth, c.speed, c.pull, dt - c.late));
    }
    if (!touches) continue;
    ContactEvent event = eventOf(ContactEvent::Kind::Begin, pair, start + first);
    event.impulse = toEigen(impulse);
    event.normalImpulse = normalImpulse;
    if (events.size() == events.capacity()) [[unlikely]] {
      makeRoom(events.size() + 1, events);
    }
    events.push_back(event);
  }
}

/// Both lists, cut at the same pairs. How many parts there are.
std::size_t PairEvents::cutMerge(std::span<const Touch> touching,
                                 std::span<const ContactEvent> events, TaskRunner* tasks) {
  const std::size_t grain = tasks == nullptr ? events.size() : kContactGrain;
  std::size_t count = 0, old = 0;
  for (std::size_t begin = 0; begin < events.size() || count == 0; ++count) {
    if (merge_parts_.size() == count) merge_parts_.emplace_back();
    MergePart& part = merge_parts_[count];
    const std::size_t end = std::min(begin + grain, events.size());
    part.begin = begin;
    part.end = begin = end;
    part.firstOld = old;
    old = touching.size();
    if (end < events.size()) {
      const ObjectPair next{events[end].object1, events[end].object2};
      old = static_cast<std::size_t>(
          std::lower_bound(touching.begin(), touching.end(), next,
                           [](const Touch& t, const ObjectPair& p) { return t.pair < p; }) -
          touching.begin());
    }
    part.endOld = old;
  }
  return count;
}

/// What began, went on and ended in a part.
void PairEvents::matchPart(std::span<const Touch> touching, std::span<ContactEvent> events,
                           MergePart& part) {
  part.begun.clear();
  part.ended.clear();
  std::size_t old = part.firstOld;
  for (std::size_t i = part.begin; i < part.end; ++i) {
    ContactEvent& event = events[i];
    const ObjectPair pair{event.object1, event.object2};
    while (old < part.endOld && touching[old].pair < pair) {
      part.ended.push_back(touching[old++].pair);
    }
    if (old < part.endOld && touching[old].pair == pair) {
      event.kind = ContactEvent::Kind::Persist;
      event.since = touching[old++].since;
    } else {
      part.begun.push_back(pair);
    }
    now_[i] = {pair, event.since};
  }
  while (old < part.endOld) part.ended.push_back(touching[old++].pair);
}

/// The events of a part, with those of pairs that no longer touch among them.
void PairEvents::addEnds(std::span<const Touch> touching, std::span<const ContactEvent> events,
                         const MergePart& part, std::span<ContactEvent> merged) {
  std::size_t old = part.firstOld, at = part.first;
  const auto endOld = [&] {
    const Touch& t = touching[old++];
    merged[at++] = eventOf(ContactEvent::Kind::End, t.pair, t.since);
  };
  for (std::size_t i = part.begin; i < part.end; ++i) {
    const ObjectPair pair{events[i].object1, events[i].object2};
    while (old < part.endOld && touching[old].pair < pair) endOld();
    if (old < part.endOld && touching[old].pair == pair) ++old;
    merged[at++] = events[i];
  }
  while (old < part.endOld) endOld();
}

/// The same for all, in the memory of the events: from the last one on, each goes to its place.
void PairEvents::addEndsInPlace(std::span<const Touch> touching, std::size_t numEnded,
                                std::vector<ContactEvent>& events) {
  std::size_t from = events.size(), to = from + numEnded, old = touching.size();
  makeRoom(to, events);
  events.resize(to);
  while (to != from) {
    const Touch& t = touching[old - 1];
    const ObjectPair last =
        from != 0 ? ObjectPair{events[from - 1].object1, events[from - 1].object2} : ObjectPair{};
    if (from == 0 || last < t.pair) {
      events[--to] = eventOf(ContactEvent::Kind::End, t.pair, t.since);
      --old;
      continue;
    }
    if (last == t.pair) --old;
    events[--to] = events[--from];
  }
}

void PairEvents::merge(std::vector<Touch>& touching, std::vector<ContactEvent>& events,
                       std::vector<ObjectPair>& begun, std::vector<ObjectPair>& ended,
                       TaskRunner* tasks) {
  now_.resize(events.size());
  const std::size_t count = cutMerge(touching, events, tasks);
  forChunks(tasks, count, 1,
            [&](std::size_t i, std::size_t) { matchPart(touching, events, merge_parts_[i]); });
  const std::size_t endedBefore = ended.size();
  for (std::size_t i = 0; i < count; ++i) {
    MergePart& part = merge_parts_[i];
    part.first = part.begin + (ended.size() - endedBefore);
    begun.insert(begun.end(), part.begun.begin(), part.begun.end());
    ended.insert(ended.end(), part.ended.begin(), part.ended.end());
  }
  const std::size_t numEnded = ended.size() - endedBefore;
  if (numEnded != 0 && tasks == nullptr) {
    addEndsInPlace(touching, numEnded, events);
  } else if (numEnded != 0) {
    merged_.resize(events.size() + numEnded);
    forChunks(tasks, count, 1, [&](std::size_t i, std::size_t) {
      addEnds(touching, events, merge_parts_[i], merged_);
    });
    events.swap(merged_);
  }
  touching.swap(now_);
  is_merged_ = true;
}

}  // namespace abut::inline v0_1
