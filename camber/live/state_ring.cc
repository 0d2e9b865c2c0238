#include "camber/live/state_ring.h"

#include <utility>

namespace camber::live {
namespace {

// A soil that keeps its ruts has some 300,000 numbers: such a state takes milliseconds to copy.
constexpr std::size_t kLargeState = 20'000;            // numbers
constexpr double kInterval = 0.1, kLargeInterval = 5;  // [s]

std::size_t size_of(const StateRing::Moment& moment) {
  return moment.state.values.size() * sizeof(double);
}

}  // namespace

void StateRing::add(run::SimulationState state, const HandDriver::State& hand) {
  interval_ = state.values.size() > kLargeState ? kLargeInterval : kInterval;
  next_ = state.time + interval_;
  Moment moment{std::move(state), hand};
  if (!has_start_) {
    has_start_ = true;
    start_ = std::move(moment);
    return;
  }
  bytes_ += size_of(moment);
  moments_.push_back(std::move(moment));
  while (bytes_ > max_bytes_ && moments_.size() > 1) {
    bytes_ -= size_of(moments_.front());
    moments_.pop_front();
  }
}

const StateRing::Moment& StateRing::go_back(double time) {
  while (!moments_.empty() && moments_.back().state.time > time + 1e-9) {
    bytes_ -= size_of(moments_.back());
    moments_.pop_back();
  }
  const Moment& moment = moments_.empty() ? start_ : moments_.back();
  next_ = moment.state.time + interval_;
  return moment;
}

}  // namespace camber::live
