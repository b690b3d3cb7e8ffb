// SPDX-License-Identifier: MIT
#include "io/recording/frame_codec.hpp"

#include <algorithm>

#include "io/recording/rows.hpp"

namespace abut::inline v0_1::io {
namespace {

enum Index : std::size_t {
  kFrame,
  kBodies,
  kContacts,
  kEvents,
  kDrivers,
  kStep,
  kRun,
  kReport,
  kJoints
};

constexpr std::size_t kMissing = static_cast<std::size_t>(-1);
/// More columns or wider ones no recording has.
constexpr std::size_t kMaxColumns = 1000, kMaxWidth = 16;

struct Kind {
  Match match;
  std::size_t keyWords;
  const std::vector<Column>& (*columns)();
};

constexpr std::array<Kind, kNumTables> kKinds{{
    {Match::Index, 0, columnsOf<Frame>},
    {Match::Index, 0, columnsOf<BodyFrame>},
    {Match::Key, 3, columnsOf<ContactFrame>},
    {Match::None, 0, columnsOf<EventFrame>},
    {Match::Key, 1, columnsOf<DriverFrame>},
    {Match::Index, 0, columnsOf<EnergyAccount>},
    {Match::Index, 0, columnsOf<EnergyAccount>},
    {Match::Index, 0, columnsOf<StepReport>},
    {Match::Key, 2, columnsOf<JointFrame>},
}};

template <typename Record>
void fill(Table& table, const std::vector<Record>& records) {
  table.width = rowWidth<Record>();
  toRows(records, table.words);
}

template <typename Record>
void fillOne(Table& table, const Record& record) {
  table.width = rowWidth<Record>();
  table.words.resize(table.width);
  toRow(record, table.words.data());
}

}  // namespace

std::string encodeFields() {
  ByteWriter out;
  for (const Kind& kind : kKinds) {
    out.u64(kind.columns().size());
    for (const Column& column : kind.columns()) {
      out.text(column.name);
      out.text(column.unit);
      out.u8(static_cast<std::uint8_t>(column.width));
    }
  }
  return out.get();
}

std::string FrameEncoder::encode(const Frame& frame) {
  FrameTables now;
  fillOne(now[kFrame], frame);
  fill(now[kBodies], frame.bodies);
  fill(now[kContacts], frame.contacts);
  fill(now[kEvents], frame.events);
  fill(now[kDrivers], frame.drivers);
  fillOne(now[kStep], frame.stepEnergy);
  fillOne(now[kRun], frame.totalEnergy);
  fillOne(now[kReport], frame.report);
  fill(now[kJoints], frame.joints);
  ByteWriter out;
  for (std::size_t i = 0; i < kNumTables; ++i) {
    before_[i].width = now[i].width;
    writeTable(out, now[i], before_[i], kKinds[i].match, kKinds[i].keyWords);
  }
  before_ = std::move(now);
  return out.get();
}

FrameDecoder::FrameDecoder(std::string_view fields) {
  ByteReader in(fields);
  for (std::size_t i = 0; i < kNumTables && (i < kLeastTables || !in.isAtEnd()); ++i) {
    ++num_tables_;
    const std::vector<Column>& own = kKinds[i].columns();
    places_[i].assign(own.back().first + own.back().width, kMissing);
    const std::uint64_t count = in.u64();
    if (count > kMaxColumns) throw InputError(concat("a table of ", count, " columns"));
    std::size_t first = 0;
    for (std::uint64_t k = 0; k < count; ++k) {
      const std::string name = in.text();
      (void)in.text();
      const std::size_t width = in.u8();
      if (width == 0 || width > kMaxWidth)
        throw InputError(concat("a column of width ", width, ": ", quoted(name)));
      const auto same = std::find_if(own.begin(), own.end(), [&](const Column& column) {
        return column.name == name && column.width == width;
      });
      if (same != own.end())
        for (std::size_t w = 0; w < width; ++w) places_[i][same->first + w] = first + w;
      first += width;
    }
    if (first == 0) throw InputError("a table without columns");
    before_[i].width = now_[i].width = first;
  }
  in.finish();
}

template <typename Record>
void FrameDecoder::take(std::size_t table, std::vector<Record>& records) const {
  const Table& from = now_[table];
  std::vector<std::uint64_t> row(rowWidth<Record>());
  toRow(Record{}, row.data());
  records.resize(from.numRows());
  for (std::size_t i = 0; i < records.size(); ++i) {
    for (std::size_t k = 0; k < row.size(); ++k)
      if (places_[table][k] != kMissing) row[k] = from.words[i * from.width + places_[table][k]];
    fromRow(row.data(), records[i]);
  }
}

template <typename Record>
void FrameDecoder::takeOne(std::size_t table, Record& record) const {
  if (now_[table].numRows() != 1)
    throw InputError(concat("a table of ", now_[table].numRows(), " rows where one is due"));
  std::vector<Record> one;
  take(table, one);
  record = std::move(one.front());
}

void FrameDecoder::decode(std::string_view bytes, Frame& frame) {
  ByteReader in(bytes);
  for (std::size_t i = 0; i < num_tables_; ++i) readTable(in, now_[i], before_[i], kKinds[i].match);
  in.finish();
  takeOne(kFrame, frame);
  take(kBodies, frame.bodies);
  take(kContacts, frame.contacts);
  take(kEvents, frame.events);
  take(kDrivers, frame.drivers);
  takeOne(kStep, frame.stepEnergy);
  takeOne(kRun, frame.totalEnergy);
  takeOne(kReport, frame.report);
  frame.joints.clear();
  if (num_tables_ > kJoints) take(kJoints, frame.joints);
  std::swap(before_, now_);
}

std::string encode(const Frame& frame) {
  return FrameEncoder().encode(frame);
}

void decodeFrame(std::string_view bytes, Frame& frame) {
  FrameDecoder(encodeFields()).decode(bytes, frame);
}

}  // namespace abut::inline v0_1::io
