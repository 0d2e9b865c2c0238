#include "camber/study/sample.h"

#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <stdexcept>

#include <nlohmann/json.hpp>

#include "camber/core/require.h"

namespace camber::study {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::string_view, 5> kNames = {"done", "failed", "refused", "timed_out",
                                                    "crashed"};

template <class Number>
void append_number(Number value, std::string* text) {
  if (!std::isfinite(value)) {
    *text += "null";
    return;
  }
  char buffer[40];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value);
  text->append(buffer, end.ptr);
}

template <class Number>
void append_numbers(const std::vector<Number>& values, std::string* text) {
  *text += '[';
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i > 0) *text += ',';
    append_number(values[i], text);
  }
  *text += ']';
}

template <class Number>
std::vector<Number> read_numbers(const Json& list) {
  std::vector<Number> values;
  values.reserve(list.size());
  for (const Json& value : list)
    values.push_back(value.is_null() ? std::numeric_limits<Number>::quiet_NaN()
                                     : value.get<Number>());
  return values;
}

}  // namespace

std::string_view name_of(SampleStatus status) { return kNames[static_cast<std::size_t>(status)]; }

SampleStatus parse_status(std::string_view word) {
  for (std::size_t i = 0; i < kNames.size(); ++i)
    if (kNames[i] == word) return static_cast<SampleStatus>(i);
  throw std::invalid_argument(concat("\"", word, "\" is not the status of a sample"));
}

std::string to_text(const SampleResult& result) {
  std::string text = concat("{\"k\":", result.k, ",\"status\":\"", name_of(result.status),
                            "\",\"passed\":", result.passed);
  if (!result.reason.empty())
    text +=
        ",\"reason\":" + Json(result.reason).dump(-1, ' ', true, Json::error_handler_t::replace);
  text += ",\"time\":";
  append_number(result.time, &text);
  text += ",\"x\":";
  append_numbers(result.values, &text);
  text += ",\"y\":";
  append_numbers(result.figures, &text);
  if (!result.curves.empty()) {
    text += ",\"curves\":[";
    for (std::size_t i = 0; i < result.curves.size(); ++i) {
      if (i > 0) text += ',';
      append_numbers(result.curves[i], &text);
    }
    text += ']';
  }
  if (!result.hash.empty()) text += ",\"hash\":\"" + result.hash + '"';
  return text + '}';
}

SampleResult parse_result(std::string_view text) {
  try {
    const Json json = Json::parse(text);
    SampleResult result;
    result.k = json.at("k").get_ref<const Json::number_integer_t&>();  // 1e308 is none
    require(result.k >= 0, "k must be >= 0, got ", result.k);
    result.status = parse_status(json.at("status").get<std::string>());
    result.passed = json.at("passed").get<bool>();
    if (json.contains("reason")) result.reason = json["reason"].get<std::string>();
    result.time = json.at("time").get<double>();
    result.values = read_numbers<double>(json.at("x"));
    result.figures = read_numbers<double>(json.at("y"));
    if (json.contains("curves"))
      for (const Json& curve : json["curves"]) result.curves.push_back(read_numbers<float>(curve));
    if (json.contains("hash")) result.hash = json["hash"].get<std::string>();
    return result;
  } catch (const Json::exception& error) {
    throw std::invalid_argument(concat("not the result of a sample: ", error.what()));
  }
}

}  // namespace camber::study
