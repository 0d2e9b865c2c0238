#include <gtest/gtest.h>

#include "apps/camber/interrupt.h"
#include "apps/camber/progress_bar.h"

namespace camber::app {
namespace {

TEST(ProgressText, TellsFractionTimeSpeedAndWhatIsLeft) {
  EXPECT_EQ(progress_text(2.5, 10.0, 0.5, 80),
            "[#######                       ]  25 %  t = 2.5 s  5 x real time  0:02 left");
  EXPECT_EQ(progress_text(10.0, 10.0, 40.0, 80),
            "[##############################] 100 %  t = 10 s  0.25 x real time  0:00 left");
  EXPECT_EQ(progress_text(1.0, 1000.0, 20.0, 80),
            "[                              ]   0 %  t = 1 s  0.05 x real time  5:33:00 left");
}

TEST(ProgressText, KnowsWhatItDoesNotKnow) {
  EXPECT_EQ(progress_text(2.5, 0.0, 0.5, 80), "t = 2.5 s  5 x real time");
  EXPECT_EQ(progress_text(0.0, 10.0, 0.0, 80), "[                              ]   0 %  t = 0 s");
  EXPECT_EQ(progress_text(12.0, 10.0, 2.0, 80).substr(0, 38),
            "[##############################] 100 %");
  EXPECT_EQ(progress_text(1e-9, 10.0, 3600.0, 200).substr(33),
            "  0 %  t = 1e-09 s  2.78e-13 x real time  a long time left");
}

TEST(ProgressText, LeavesOutWhatDoesNotFit) {
  EXPECT_EQ(progress_text(2.5, 10.0, 0.5, 60),
            "[###           ]  25 %  t = 2.5 s  5 x real time  0:02 left");
  EXPECT_EQ(progress_text(2.5, 10.0, 0.5, 50), " 25 %  t = 2.5 s  5 x real time  0:02 left");
  EXPECT_EQ(progress_text(2.5, 10.0, 0.5, 20), " 25 %  t = 2.5 s  5");
  EXPECT_EQ(progress_text(2.5, 10.0, 0.5, 1), "");
  EXPECT_EQ(progress_text(2.5, 10.0, 0.5, 0), "");
}

TEST(Interrupt, ComesBackAsItWas) {
  {
    const InterruptGuard guard;
    EXPECT_FALSE(InterruptGuard::requested());
    std::raise(SIGTERM);
    EXPECT_TRUE(InterruptGuard::requested());
    EXPECT_EQ(InterruptGuard::signal(), SIGTERM);
  }
  const InterruptGuard guard;
  EXPECT_FALSE(InterruptGuard::requested());
  EXPECT_EQ(interrupted_text(SIGINT, 3.25, 10.0),
            "interrupted (SIGINT) at t = 3.25 s of 10 s (32 %)");
  EXPECT_EQ(interrupted_text(SIGINT, 3.25, 0.0), "interrupted (SIGINT) at t = 3.25 s");
}

TEST(InterruptDeathTest, EndsAtOnceWhenAskedTwice) {
  EXPECT_EXIT(
      {
        const InterruptGuard guard;
        std::raise(SIGINT);
        std::raise(SIGINT);
      },
      testing::KilledBySignal(SIGINT), "");
}

}  // namespace
}  // namespace camber::app
