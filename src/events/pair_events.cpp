// SPDX-License-Identifier: MIT
#include "events/pair_events.hpp"

#include <algorithm>

#include <abut/math/convert.hpp>

#include "math/closing.hpp"

namespace abut::inline v0_1 {
namespace {

/// Contacts that a thread takes at once, about.
constexpr std::size_t kContactGrain = 1024;

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
    events.push_back(event);
  }
}

void PairEvents::merge(std::vector<Touch>& touching, std::vector<ContactEvent>& events,
                       std::vector<ObjectPair>& begun, std::vector<ObjectPair>& ended) {
  merged_.clear();
  now_.clear();
  std::size_t old = 0;
  const auto endOld = [&] {
    const Touch& t = touching[old++];
    merged_.push_back(eventOf(ContactEvent::Kind::End, t.pair, t.since));
    ended.push_back(t.pair);
  };
  for (ContactEvent& event : events) {
    const ObjectPair pair{event.object1, event.object2};
    while (old < touching.size() && touching[old].pair < pair) endOld();
    if (old < touching.size() && touching[old].pair == pair) {
      event.kind = ContactEvent::Kind::Persist;
      event.since = touching[old++].since;
    } else {
      begun.push_back(pair);
    }
    now_.push_back({pair, event.since});
    merged_.push_back(event);
  }
  while (old < touching.size()) endOld();
  events.swap(merged_);
  touching.swap(now_);
  is_merged_ = true;
}

}  // namespace abut::inline v0_1
