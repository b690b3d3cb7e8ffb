// SPDX-License-Identifier: MIT
//
// Blocks of the inverse between the bodies of a mechanism.
#include "joints/block_elimination.hpp"

namespace abut::inline v0_1 {

/// D^-1 of a node.
Mat6 BlockElimination::ownInverse(std::uint32_t k) const {
  Mat6 own{};
  for (int i = 0; i < 6; ++i) own.row[i].part[i >> 1][i & 1] = 1.0;
  factors_[k].solve(own);
  if (k >= graph_.numBodies) negate(own);
  return own;
}

/// Whether every node but the last has one after it: a constraint after a body, a body after a
/// constraint.
bool BlockElimination::isTree() const {
  for (std::uint32_t k = 0; k < order_.size(); ++k) {
    const std::uint32_t count = first_entry_[k + 1] - first_entry_[k];
    if (count != (k == order_.back() ? 0u : 1u)) return false;
    const bool isBody = k < graph_.numBodies;
    if (count == 1 && isBody == (entries_[first_entry_[k]].column < graph_.numBodies)) return false;
  }
  return true;
}

/// The same where bodies follow one another by single constraints: what a body makes of another is
/// what it makes of the one before that, handed on. Where the last node is a constraint, what comes
/// of it is kept too.
void BlockElimination::invertTree(std::vector<Mat6>& between) {
  const std::uint32_t bodies = graph_.numBodies, root = order_.back();
  const bool isHeld = root >= bodies;
  inverse_.resize(bodies);  // Between the last constraint and each body.
  for (std::size_t i = order_.size(); i-- > 0;) {
    const std::uint32_t k = order_[i];
    if (k >= bodies) continue;
    Mat6 own = ownInverse(k), hand{};  // Minus what it takes over.
    const Mat6* from = &between[0];    // Row of what it takes it from.
    bool takes = false;
    if (k != root) {
      const std::uint32_t up = entries_[first_entry_[k]].column;
      const Mat6& p = products_[first_entry_[k]];
      Mat6 mid{};
      subtractProduct(mid, ownInverse(up), transpose(p));
      subtractProduct(own, p, mid);
      takes = true;
      if (up == root) {
        hand = p;
        from = inverse_.data();
        inverse_[k] = mid;
      } else {
        const std::uint32_t before = entries_[first_entry_[up]].column;
        subtractProduct(hand, p, products_[first_entry_[up]]);
        from = &between[std::size_t{before} * bodies];
        Mat6 back{};
        if (isHeld) subtractProduct(back, hand, transpose(inverse_[before]));
        inverse_[k] = transpose(back);
      }
    }
    for (std::size_t j = order_.size(); j-- > i + 1;) {
      const std::uint32_t other = order_[j];
      if (other >= bodies) continue;
      Mat6 sum{};
      if (takes) subtractProduct(sum, hand, from[other]);
      between[k * bodies + other] = sum;
      between[other * bodies + k] = transpose(sum);
    }
    if (takes && from != inverse_.data()) subtractProduct(own, hand, from[k]);
    between[k * bodies + k] = own;
  }
}

/// From the last node to the first: a row is D^-1 less its products with the rows after it.
void BlockElimination::invert(std::vector<Mat6>& between) {
  const std::size_t n = order_.size(), bodies = graph_.numBodies;
  between.resize(bodies * bodies);
  if (isTree()) return invertTree(between);
  inverse_.resize(n * n);
  for (std::size_t i = n; i-- > 0;) {
    const std::uint32_t k = order_[i];
    const std::uint32_t first = first_entry_[k], end = first_entry_[k + 1];
    for (std::size_t j = n; j-- > i;) {
      Mat6 sum = i == j ? ownInverse(k) : Mat6{};
      for (std::uint32_t a = first; a < end; ++a) {
        // The block of the row of its column, which comes later.
        subtractProduct(sum, products_[a], inverse_[place_[entries_[a].column] * n + j]);
      }
      inverse_[i * n + j] = sum;
      if (i != j) inverse_[j * n + i] = transpose(sum);
    }
  }
  for (std::size_t i = 0; i < bodies; ++i) {
    for (std::size_t j = 0; j < bodies; ++j) {
      between[i * bodies + j] = inverse_[place_[i] * n + place_[j]];
    }
  }
}

/// From the last node to the first, as in double precision: a body's row is what it takes over of
/// the row of the one before it, or of the last constraint, and its own block.
bool BlockElimination::invertSingly(SingleInverse& out) {
  if (order_.empty() || !isTree()) return false;
  const std::uint32_t bodies = graph_.numBodies, root = order_.back();
  const std::size_t count = bodies + (root >= bodies ? 1 : 0);
  out.begin(count);
  if (root >= bodies) out.set(bodies, bodies, ownInverse(root));
  for (std::size_t i = order_.size(); i-- > 0;) {
    const std::uint32_t k = order_[i];
    if (k >= bodies) continue;
    Mat6 own = ownInverse(k);
    if (k != root) {
      const std::uint32_t up = entries_[first_entry_[k]].column;
      Mat6 hand = products_[first_entry_[k]];  // Minus what it takes over.
      std::size_t from = bodies;
      if (up != root) {
        const Mat6 p = hand;
        Mat6 mid{};
        subtractProduct(mid, ownInverse(up), transpose(p));
        subtractProduct(own, p, mid);
        hand = {};
        subtractProduct(hand, p, products_[first_entry_[up]]);
        from = entries_[first_entry_[up]].column;
      }
      out.takeOver(k, from, hand);
      // Those that come later in the elimination are known already.
      for (std::size_t j = order_.size(); j-- > i + 1;) {
        if (order_[j] < bodies) out.mirror(k, order_[j]);
      }
      if (root >= bodies) out.mirror(k, bodies);
      subtractProduct(own, hand, out.get(from, k));
    }
    out.set(k, k, own);
  }
  return true;
}

}  // namespace abut::inline v0_1
