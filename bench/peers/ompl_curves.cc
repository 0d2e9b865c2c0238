#include "bench/peers/ompl_curves.h"

#include <ompl/base/ScopedState.h>
#include <ompl/base/spaces/DubinsStateSpace.h>
#include <ompl/base/spaces/ReedsSheppStateSpace.h>

namespace camber::peers {

namespace ob = ompl::base;

struct OmplCurves::Data {
  explicit Data(ob::StateSpacePtr s) : space(std::move(s)), a(space), b(space) {}
  ob::StateSpacePtr space;
  ob::ScopedState<ob::SE2StateSpace> a, b;
};

OmplCurves::OmplCurves(Kind kind, double radius)
    : data_(std::make_unique<Data>(
          kind == Kind::kDubins ? ob::StateSpacePtr(std::make_shared<ob::DubinsStateSpace>(radius))
                                : std::make_shared<ob::ReedsSheppStateSpace>(radius))) {}

OmplCurves::~OmplCurves() = default;

double OmplCurves::calc_length(const planning::Pose& from, const planning::Pose& to) const {
  data_->a->setXY(from.x, from.y);
  data_->a->setYaw(from.heading);
  data_->b->setXY(to.x, to.y);
  data_->b->setYaw(to.heading);
  return data_->space->distance(data_->a.get(), data_->b.get());
}

}  // namespace camber::peers
