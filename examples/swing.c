/* Swings the double pendulum for ten seconds with the C code that examples/double_pendulum.cc wrote, by
   the classical Runge-Kutta method, and checks that the energy stays. Needs no library of camber. */

#include <math.h>
#include <stdio.h>

int double_pendulum(const double q[2], const double v[2], double g, double l1, double l2, double m1,
                    double m2, double a[2]);

static const double g = 9.81, l1 = 0.83, l2 = 1.27, m1 = 1.9, m2 = 0.71;

/* x = (q1, q2, v1, v2); 0, or not 0 where the accelerations have no value. */
static int calc_rate(const double x[4], double rate[4]) {
  rate[0] = x[2];
  rate[1] = x[3];
  return double_pendulum(x, x + 2, g, l1, l2, m1, m2, rate + 2);
}

static double calc_energy(const double x[4]) {
  const double vx1 = l1 * x[2] * cos(x[0]), vy1 = l1 * x[2] * sin(x[0]);
  const double vx2 = vx1 + l2 * x[3] * cos(x[1]), vy2 = vy1 + l2 * x[3] * sin(x[1]);
  const double y1 = -l1 * cos(x[0]), y2 = y1 - l2 * cos(x[1]);
  return m1 * (vx1 * vx1 + vy1 * vy1) / 2 + m2 * (vx2 * vx2 + vy2 * vy2) / 2 + g * (m1 * y1 + m2 * y2);
}

int main(void) {
  const double h = 1e-3; /* [s] */
  const double node[4] = {0, 0.5, 0.5, 1}, weight[4] = {1. / 6, 1. / 3, 1. / 3, 1. / 6};
  double x[4] = {0.9, -0.4, 0.3, 1.1};
  const double start = calc_energy(x);
  for (int step = 0; step < 10000; ++step) {
    double rate[4] = {0, 0, 0, 0}, next[4] = {x[0], x[1], x[2], x[3]};
    for (int stage = 0; stage < 4; ++stage) {
      double at[4];
      for (int i = 0; i < 4; ++i) at[i] = x[i] + h * node[stage] * rate[i];
      if (calc_rate(at, rate) != 0) return 1;
      for (int i = 0; i < 4; ++i) next[i] += h * weight[stage] * rate[i];
    }
    for (int i = 0; i < 4; ++i) x[i] = next[i];
    if (step % 2000 == 1999) printf("t = %2.0f s: q1 = %8.4f, q2 = %8.4f rad\n", (step + 1) * h, x[0], x[1]);
  }
  const double drift = fabs(calc_energy(x) - start);
  printf("energy %g J, changed by %g J in ten seconds\n", start, drift);
  return drift < 1e-6 * fabs(start) ? 0 : 1;
}
