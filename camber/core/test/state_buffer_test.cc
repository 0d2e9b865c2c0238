#include "camber/core/state_buffer.h"

#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

namespace camber {
namespace {

TEST(StateBuffer, GivesBackWhatWasWritten) {
  StateWriter out;
  out.write(0.1 + 0.2);
  out.write(-3);
  out.write(1);
  out.write_list(std::vector{1.5, -0.0, std::numeric_limits<double>::denorm_min()});
  out.write(std::vector{2.25, 7.0});
  const std::vector<double> values = out.take();
  StateReader in(values);
  EXPECT_EQ(in.read(), 0.1 + 0.2);
  EXPECT_EQ(in.read_int(), -3);
  EXPECT_TRUE(in.read_bool());
  const std::vector<double> list = in.read_list();
  ASSERT_EQ(list.size(), 3u);
  EXPECT_TRUE(std::signbit(list[1]));
  EXPECT_EQ(list[2], std::numeric_limits<double>::denorm_min());
  EXPECT_EQ(in.left(), 2u);
  EXPECT_EQ(in.read_rest()[1], 7.0);
  EXPECT_NO_THROW(in.finish());
}

TEST(StateBuffer, RefusesAStateOfAnotherModel) {
  const std::vector<double> values = {2.5, 4, 1};
  EXPECT_THROW(StateReader(values).read_int(), std::invalid_argument);
  EXPECT_THROW(StateReader(values).read_bool(), std::invalid_argument);
  EXPECT_THROW(StateReader(values).read_list(), std::invalid_argument);
  StateReader in(values);
  in.read();
  EXPECT_THROW(in.read_list(), std::invalid_argument);  // 4 numbers, where one is left
  StateReader all(values);
  std::vector<double> four(4);
  EXPECT_THROW(all.read(four), std::invalid_argument);
  EXPECT_THROW(all.finish(), std::invalid_argument);
}

}  // namespace
}  // namespace camber
