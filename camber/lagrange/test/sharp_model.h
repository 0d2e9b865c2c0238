#pragma once

#include "camber/lagrange/linear_model.h"
#include "camber/lagrange/test/motorcycle.h"

namespace camber::lagrange {

/// How 001 section 4 linearizes the motorcycle: straight running at speed V, velocity of point A in
/// the moving frame T1, and the relations between its dimensions (global_properties, with "e - j"
/// where the listing has lost the minus).
inline LinearizationSpec make_straight_running() {
  const auto s = [](const char* name) { return symbolic::symbol(name); };
  const auto q = [](const char* name) { return symbolic::variable(name); };
  const Expr V = s("V"), t = s("t"), k = s("k"), j = s("j"), e = s("e"), an = s("an"), Rf = s("Rf");
  const Expr sin_eps = sin(s("epsilon")), cos_eps = cos(s("epsilon"));
  const Expr psi = q("psi"), x1dot = q("x1dot"), y1dot = q("y1dot");
  LinearizationSpec spec;
  spec.motion = {
      {q("x"), V * t}, {q("theta1"), -V * t / s("Rr")}, {q("theta4"), -V * t / Rf}, {x1dot, V}};
  spec.independent = {q("x"), q("y"), psi, q("delta"), q("phi")};
  spec.moving_frame = {
      {symbolic::variable("x", 1), cos(psi) * x1dot - sin(psi) * y1dot},
      {symbolic::variable("y", 1), sin(psi) * x1dot + cos(psi) * y1dot},
  };
  spec.relations = {
      {s("f"), sin_eps * k - cos_eps * j},
      {s("a"), cos_eps * k - e + j * sin_eps},
      {s("lx"), -an + Rf * sin_eps},
      {s("lz"), -(-sin_eps * k * cos_eps + cos_eps * cos_eps * Rf + sin_eps * e - j +
                  cos_eps * cos_eps * j + sin_eps * an) /
                    cos_eps},
  };
  return spec;
}

/// Sharp71data as 001 section 4.4 prints it, with a speed. Numbers without use (l, rtf, rtr) left
/// out; Zf is not the static load.
inline Substitution sharp_data(double V) {
  Substitution values;
  const std::pair<const char*, double> data[] = {
      {"Zf", -1005.3}, {"h", .6157},       {"Irx", 31.18},     {"Irz", 21.07}, {"Crxz", 1.7355},
      {"iry", 1.0508}, {"Ifz", .4420},     {"ify", .7186},     {"mr", 217.45}, {"b", .4798},
      {"e", .0244},    {"f", .0283},       {"Ifx", 1.2338},    {"an", .1158},  {"epsilon", .4715},
      {"a", .9485376}, {"Cdelta", 6.77},   {"mf", 30.65},      {"Rf", .3048},  {"Cf1", 11174},
      {"Cf2", 938.6},  {"sigma", .2438},   {"Rr", .3048},      {"Cr1", 15831}, {"Cr2", 1325.6},
      {"g", 9.81},     {"j", .4167186306}, {"k", .8796329043}, {"V", V},
  };
  for (const auto& [name, value] : data) values.emplace(symbolic::symbol(name), Expr(value));
  return values;
}

}  // namespace camber::lagrange
