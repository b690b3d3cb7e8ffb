// SPDX-License-Identifier: MIT
#include "scheme/real_time/gathered_islands.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace abut::inline v0_1 {

/// A row on its way home, and where it comes among those of its pair.
struct GatheredIslands::Sent {
  ManifoldRow row;
  RowPoint points[ManifoldRow::kMaxPoints];
  ObjectPair pair;
  std::uint64_t order;
  std::uint32_t kind, part;
};

namespace {

struct BodyAnswer {
  ObjectId id;
  BodyVelocity end, shift;
  std::uint8_t isTouched, isShifted;
};
struct RowAnswer {
  ObjectPair pair;
  std::uint32_t number;  ///< Among the rows of the pair.
  ManifoldRow row;
  RowPoint points[ManifoldRow::kMaxPoints];
};

/// The points of a row, for who has not their memory.
template <class Message>
void takePoints(const ManifoldRow& row, Message& message) {
  message.row.points = nullptr;
  std::copy_n(row.points, row.count, message.points);
}

}  // namespace

void GatheredIslands::collect(const StepInput& in, const ManifoldRows& from,
                              const StepMotion& motion) {
  Halo& halo = *in.halo();
  const auto ranks = static_cast<std::size_t>(halo.comm.getSize());
  const LinkOrder& whole = from.linkOrder;
  std::vector<std::vector<std::byte>> rowsOut(ranks), bodiesOut(ranks), rowsIn, bodiesIn;
  bool isAny = false;
  for (const LinkOrder::Spread& s : whole.getSpread()) {
    isAny = isAny || s.isGathered;
    if (!s.isGathered || s.island == LinkOrder::Spread::kNotHere) continue;
    const auto home = static_cast<std::size_t>(s.home);
    const LinkOrder::Island& island = whole.getIslands()[s.island];
    for (const std::uint32_t k : whole.getLinks().subspan(island.firstLink, island.numLinks)) {
      const ManifoldRow& row = from.all[k];
      const Link& link = from.links[k];
      if (!in.counts(row.body1, row.body2)) continue;
      Sent message{row, {}, link.pair, link.order, link.kind, link.part};
      takePoints(row, message);
      put(rowsOut[home], message);
    }
    for (const std::uint32_t b : whole.getBodies().subspan(island.firstBody, island.numBodies)) {
      if (halo.isGhost[b] != 0) continue;
      putBody(in.bodies, b, bodiesOut[home]);
      put(bodiesOut[home], motion.startVelocity[b]);
      put(bodiesOut[home], motion.endVelocity[b]);
    }
  }
  rows.clear();
  links.clear();
  bodies = {};
  start.clear();
  end.clear();
  owner_.clear();
  std::vector<Sent> sent;
  if (!isAny) return take(sent);  // The list is the same on all ranks.
  halo.comm.exchange(rowsOut, rowsIn);
  halo.comm.exchange(bodiesOut, bodiesIn);

  struct Came {
    BodyVelocity start, end;
    std::int32_t rank;
  };
  std::vector<BodyRecord> records;
  std::map<ObjectId, Came> came;
  for (std::size_t r = 0; r < ranks; ++r) {
    MessageReader rowsOf(rowsIn[r]), bodiesOf(bodiesIn[r]);
    for (Sent one{}; rowsOf.get(one);) sent.push_back(one);
    while (!bodiesOf.isEmpty()) {
      records.push_back(takeBody(bodiesOf, in.division->shapes));
      Came& c = came[records.back().facts.id];
      c.start = bodiesOf.take<BodyVelocity>();
      c.end = bodiesOf.take<BodyVelocity>();
      c.rank = static_cast<std::int32_t>(r);
    }
  }
  // Bodies that are on all ranks, as far as rows are of them.
  for (const Sent& one : sent) {
    for (const ObjectId id : {one.pair.first, one.pair.second}) {
      if (came.count(id) != 0) continue;
      const std::size_t i = in.bodies.indexOf(id);
      records.push_back(recordOf(in.bodies, i));
      came[id] = {motion.startVelocity[i], motion.endVelocity[i], -1};
    }
  }
  appendSorted(records, bodies);
  for (const auto& [id, c] : came) {
    start.push_back(c.start);
    end.push_back(c.end);
    owner_.push_back(c.rank);
  }
  take(sent);
}

void GatheredIslands::take(std::vector<Sent>& sent) {
  std::sort(sent.begin(), sent.end(), [](const Sent& a, const Sent& b) {
    return std::tie(a.pair, a.part) < std::tie(b.pair, b.part);
  });
  points_.resize(ManifoldRow::kMaxPoints * sent.size());
  for (std::uint32_t i = 0; i < sent.size(); ++i) {
    ManifoldRow& row = rows.emplace_back(sent[i].row);
    row.points = points_.data() + ManifoldRow::kMaxPoints * static_cast<std::size_t>(i);
    std::copy_n(sent[i].points, row.count, row.points);
    row.body1 = static_cast<std::uint32_t>(bodies.indexOf(sent[i].pair.first));
    row.body2 = static_cast<std::uint32_t>(bodies.indexOf(sent[i].pair.second));
    links.push_back({row.body1, row.body2, sent[i].kind, sent[i].order, sent[i].pair, i});
  }
  markMovingBodies(bodies, moves_);
  order.build(links, moves_);
  for (std::uint32_t i = 0; i < rows.size(); ++i) rows[i].colour = order.colourOf(i);
}

void GatheredIslands::giveBack(const StepInput& in, const RowOutcome& here, ManifoldRows& to,
                               StepMotion& motion, RowOutcome& outcome) const {
  Halo& halo = *in.halo();
  bool isAny = false;
  for (const LinkOrder::Spread& s : to.linkOrder.getSpread()) isAny = isAny || s.isGathered;
  if (!isAny) return;
  const auto ranks = static_cast<std::size_t>(halo.comm.getSize());
  std::vector<std::vector<std::byte>> rowsOut(ranks), bodiesOut(ranks), rowsIn, bodiesIn;
  std::uint32_t number = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    number = i > 0 && links[i].pair == links[i - 1].pair ? number + 1 : 0;
    const std::int32_t r1 = owner_[rows[i].body1], r2 = owner_[rows[i].body2];
    RowAnswer answer{links[i].pair, number, rows[i], {}};
    takePoints(rows[i], answer);
    if (r1 >= 0) put(rowsOut[static_cast<std::size_t>(r1)], answer);
    if (r2 >= 0 && r2 != r1) put(rowsOut[static_cast<std::size_t>(r2)], answer);
  }
  std::vector<BodyAnswer> answers(bodies.size());
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    answers[i] = {bodies.ids[i], end[i], {}, rows.empty() ? std::uint8_t{0} : here.touched[i], 0};
  }
  if (!rows.empty()) {
    for (const BodyShift& s : here.shifts) {
      answers[s.body].shift = s.shift;
      answers[s.body].isShifted = 1;
    }
  }
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (owner_[i] >= 0) put(bodiesOut[static_cast<std::size_t>(owner_[i])], answers[i]);
  }
  halo.comm.exchange(rowsOut, rowsIn);
  halo.comm.exchange(bodiesOut, bodiesIn);
  std::map<ObjectPair, std::vector<std::uint32_t>> rowsOf;
  for (std::uint32_t k = 0; k < to.all.size(); ++k) rowsOf[to.links[k].pair].push_back(k);
  for (std::size_t r = 0; r < ranks; ++r) {
    MessageReader rowAnswers(rowsIn[r]), bodyAnswers(bodiesIn[r]);
    for (RowAnswer a{}; rowAnswers.get(a);) {
      ManifoldRow& row = to.all[rowsOf[a.pair].at(a.number)];
      for (int i = 0; i < row.count; ++i) {
        row.points[i].normalImpulse = a.points[i].normalImpulse;
        row.points[i].bound = a.points[i].bound;
      }
      row.tangentImpulse = a.row.tangentImpulse;
      row.twistImpulse = a.row.twistImpulse;
      row.resistingImpulse = a.row.resistingImpulse;
    }
    for (BodyAnswer a{}; bodyAnswers.get(a);) {
      const auto b = static_cast<std::uint32_t>(in.bodies.indexOf(a.id));
      motion.endVelocity[b] = a.end;
      outcome.touched[b] = a.isTouched;
      if (a.isShifted != 0) outcome.shifts.push_back({b, a.shift});
    }
  }
}

}  // namespace abut::inline v0_1
