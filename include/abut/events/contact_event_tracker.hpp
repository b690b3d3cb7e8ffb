// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <span>
#include <vector>

#include <abut/core/object_id.hpp>
#include <abut/core/owned.hpp>
#include <abut/core/status.hpp>
#include <abut/events/tracked_pair.hpp>
#include <abut/narrow_phase/queries.hpp>

namespace abut::inline v0_1 {

struct ContactEventOptions {
  /// Half the width of the hysteresis [m], > 0: a contact begins at an overlap of 2 zEps.
  double zEps = 1e-8;
  /// Adds this share of the smaller bounding radius of a pair to its zEps; >= 0.
  double zEpsRelative = 0.0;
  /// Length of z: at most so many pairs are in contact or watched, >= 1.
  std::size_t nzMax = 500;
  /// Pairs farther apart than this [m] are not watched, and z never exceeds it. Infinity watches
  /// the nzMax closest of all pairs; 0 takes the largest bounding radius of an object that can
  /// move.
  double closeDistance = 0.0;
};

/// Decides when pairs of objects are in contact, and gives an integrator the functions of time
/// whose sign changes are those events.
///
/// Per pair, with d the signed distance (distanceOrg):
///   at initialisation           contact = d < -zEps;
///   where z falls below zero    contact = true, that is at d = -2 zEps;
///   where z rises above zero    contact = false, that is at d = 0;
///   z (distanceWithHysteresis) = contact ? d : min(d + 2 zEps, closeDistance).
/// After initialisation and after an event z is never zero, so that an integrator can restart.
///
/// z has nzMax entries: pairs in contact by id, then the closest others by (z, pair), then
/// closeDistance. Each entry is continuous while no event is handled: the k-th smallest of
/// continuous functions, all capped alike.
///
/// Flags change in initialize() and handleEvent() alone; updateRoots() chooses the watched pairs
/// anew; updateValues() keeps all pairs and renews distances and witness points. The contact flags,
/// and so the whole future, depend on the objects passed in and on nothing else; equal input gives
/// equal bits on every machine. A call that fails changes nothing.
///
/// Objects are sorted by id, ids and shapes the same in every call until the next initialize();
/// shapes outlive the tracker's use of them. Pairs in which nothing can move, pairs of planes and
/// ignored pairs are left out.
///
/// Cost of a call: one tree of boxes and one distance query for each pair whose boxes come within
/// closeDistance; updateValues(): one query for each tracked pair.
class ContactEventTracker {
public:
  /// Throws abut::Error for options outside their ranges.
  explicit ContactEventTracker(const ContactEventOptions& options = {});
  ~ContactEventTracker();
  ContactEventTracker(ContactEventTracker&&) noexcept;
  ContactEventTracker& operator=(ContactEventTracker&&) noexcept;

  /// Leaves a pair out from the next initialize() on. Fails with SelfPair or OutOfRange.
  Status ignorePair(ObjectId object1, ObjectId object2);

  /// Begins: sets every contact flag. `source` gives new contacts their response; null: none.
  ///
  /// Fails with LimitExceeded for more contacts than nzMax, NotConverged for a distance that could
  /// not be computed, OutOfRange for ids that are not ascending, UnknownObject for objects that
  /// differ from those at initialize(); here and in the calls below.
  Status initialize(std::span<const TrackedObject> objects, double time,
                    ContactResponseSource* source = nullptr);

  /// For the root functions: contacts keep their pairs, the others are chosen anew, z is filled.
  Status updateRoots(std::span<const TrackedObject> objects);

  /// For any other evaluation: new distances and witness points of the same pairs; z is not filled.
  Status updateValues(std::span<const TrackedObject> objects);

  /// At an event: to be called where a root function has just changed sign or is zero. Sets the
  /// flags, copies the response of contacts that go on from getLastContacts(), asks `source` for
  /// those that begin. `changes` is replaced, sorted by pair; it may be empty.
  Status handleEvent(std::span<const TrackedObject> objects, double time,
                     std::vector<ContactChange>& changes, ContactResponseSource* source = nullptr);

  // Views end with the next call that is not const.

  /// Zero-crossing functions [m]; length nzMax.
  [[nodiscard]] std::span<const double> getRoots() const;
  /// The same in two numbers, for integrators with few root functions: the greatest z of a contact
  /// (-closeDistance if there is none; rises through zero when one ends), and the least of the
  /// others (falls through zero when one begins). Both are continuous.
  [[nodiscard]] std::array<double, 2> getAggregateRoots() const;

  /// Pairs in contact, by pair: the seed's contactDict.
  [[nodiscard]] std::span<const TrackedContact> getContacts() const;
  /// Contacts of the last event with their response, by pair: lastContactDict.
  [[nodiscard]] std::span<const LastContact> getLastContacts() const;
  /// Watched pairs without contact by (z, pair), as of the last updateRoots(), initialize() or
  /// handleEvent(): distanceDict.
  [[nodiscard]] std::span<const PairKey> getClosestPairs() const;
  /// The same pairs with distance and witness points, by pair: noContactDict.
  [[nodiscard]] std::span<const TrackedPair> getNearPairs() const;

  /// The contact of a pair given in any order; null if there is none.
  [[nodiscard]] const TrackedContact* findContact(ObjectId object1, ObjectId object2) const;
  /// zEps of a pair of known objects [m]; 0 for unknown ones.
  [[nodiscard]] double zEpsOf(const ObjectPair& pair) const;
  /// The distance in use [m]; 0 before initialize() if it is automatic.
  [[nodiscard]] double getCloseDistance() const;

private:
  struct Impl;
  Owned<Impl> impl_;
};

}  // namespace abut::inline v0_1
