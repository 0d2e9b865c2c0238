// The driver `preview` of a scenario takes the vehicle that it drives for what it is.

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "camber/scenario/build_driver.h"

namespace camber {
namespace {

/// On a circle of this radius at this speed: what the vehicle's single track does there.
autonomy::VehicleView make_steady_view(const scenario::DriverVehicle& f, double radius,
                                       double speed) {
  const double r = speed / radius, wheelbase = f.front + f.rear;
  const double rear_slip = f.mass * f.front / wheelbase * speed * r / f.rear_stiffness,
               front_slip = f.mass * f.rear / wheelbase * speed * r / f.front_stiffness;
  const double v = f.rear * r - speed * rear_slip + 0.5 * (f.front - f.rear) * r;
  // The point midway between the axles moves along the circle.
  return {.yaw = -std::atan2(v, speed),
          .speed = speed,
          .lateral_speed = v,
          .yaw_rate = r,
          .steer = wheelbase / radius + front_slip - rear_slip};
}

double find_steer(const scenario::DriverVehicle& vehicle, const autonomy::VehicleView& view,
                  double radius) {
  scenario::Driver driver;
  driver.steering = autonomy::PreviewFigures{};
  driver.path = scenario::CirclePath{radius};
  return scenario::build_driver(driver, {}, vehicle)->update(view).steer;
}

// On a steady circle the constant angle that keeps a vehicle there is the one that it has. The
// driver got the mass alone, and took all else from another vehicle.
TEST(PreviewDriver, HoldsASteadyCircleWithAnyVehicle) {
  const double radius = 400, speed = 20;
  const dynamics::Equipment equipment;
  const scenario::DriverVehicle small{.mass = 1130,
                                      .yaw_inertia = 1480,
                                      .front = 0.97,
                                      .rear = 1.53,
                                      .front_stiffness = 61300,
                                      .rear_stiffness = 52700,
                                      .rolling_radius = 0.29,
                                      .rolling_resistance = 0.012,
                                      .wheel_inertia = 3.1,
                                      .max_steer = 0.5,
                                      .equipment = &equipment};
  scenario::DriverVehicle truck = small;
  truck.mass = 9100;
  truck.yaw_inertia = 41000;
  truck.front = 2.31;
  truck.rear = 1.42;
  truck.front_stiffness = 247000;
  truck.rear_stiffness = 482000;
  for (const scenario::DriverVehicle& vehicle : {small, truck}) {
    const autonomy::VehicleView view = make_steady_view(vehicle, radius, speed);
    EXPECT_NEAR(find_steer(vehicle, view, radius), view.steer, 2e-3 * view.steer)
        << vehicle.mass << " kg";
  }
}

}  // namespace
}  // namespace camber
