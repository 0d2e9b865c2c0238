#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <utility>

#include "camber/core/base64.h"
#include "camber/core/require.h"
#include "camber/view/deflate.h"
#include "camber/view/replay.h"

namespace camber::view {
namespace {

using Json = nlohmann::ordered_json;

/// JSON that may stand in an element of a page: no text in it ends the element or starts a comment.
std::string to_element(const Json& json) {
  const std::string text = json.dump(-1, ' ', true, Json::error_handler_t::replace);
  std::string out;
  for (const char c : text) c == '<' ? out.append("\\u003c") : out.append(1, c);
  return out;
}

/// Starts the page: its script is compressed, as text of the element "camber-app". Only what this
/// file holds is run, as the policy of inline scripts allows.
constexpr const char* kStart =
    "<script>(async()=>{const t=atob(document.getElementById('camber-app').textContent),"
    "b=Uint8Array.from(t,c=>c.charCodeAt(0)),s=document.createElement('script');"
    "s.textContent=await new Response(new Blob([b]).stream().pipeThrough("
    "new DecompressionStream('deflate'))).text();document.body.append(s)})()</script>\n";

void replace_once(std::string_view what, const std::string& by, std::string* text) {
  const std::size_t at = text->find(what);
  require(at != std::string::npos, "make_html: the page has no ", what);
  text->replace(at, what.size(), by);
}

/// Tiles, trees and meshes along the way, coarse levels all over.
std::set<std::string> list_addresses(Replay* replay) {
  std::set<std::string> all;
  const Stage& stage = replay->stage();
  const GroundTiles& ground = stage.ground();
  const Json hello = replay->hello("");
  const terrain::Box2& extent = ground.extent();
  const auto add_tiles = [&](int level, double x, double y, double reach) {
    const double side = GroundTiles::kCells * ground.cell() * std::ldexp(1.0, level);
    const auto index = [&](double at, double origin) {
      return static_cast<long>(std::floor((at - origin) / side));
    };
    // Whole sets of four: a page divides a tile if all its parts are there.
    const auto first = [&](double at, double origin) { return index(at, origin) & ~1L; };
    const auto last = [&](double at, double origin) { return index(at, origin) | 1L; };
    for (long i = first(x - reach, extent.x0); i <= last(x + reach, extent.x0); ++i)
      for (long j = first(y - reach, extent.y0); j <= last(y + reach, extent.y0); ++j)
        all.insert(concat("/api/tile/", level, "/", i, "/", j));
  };
  bool has_trees = false;
  for (const Json& thing : hello["static"])
    if (thing.value("kind", "") == "trees") has_trees = true;
  for (std::size_t r = 0; r < replay->run_count(); ++r) {
    const std::vector<double> way = replay->run(r).list_positions();
    double last_x = HUGE_VAL, last_y = HUGE_VAL;
    for (std::size_t k = 0; k + 1 < way.size(); k += 2) {
      const double x = way[k], y = way[k + 1];
      if (!std::isfinite(x + y) || std::hypot(x - last_x, y - last_y) < 4) continue;
      last_x = x, last_y = y;
      if (!ground.is_plane())
        for (int level = 0; level < ground.levels(); ++level) {
          const double tile = GroundTiles::kCells * ground.cell() * std::ldexp(1.0, level);
          add_tiles(level, x, y, std::min(0.25 * tile, 2500.0));
        }
      if (!has_trees) continue;
      const double side = 4 * GroundTiles::kCells * ground.cell();
      for (const double dx : {-side, 0.0, side})
        for (const double dy : {-side, 0.0, side})
          all.insert(concat("/api/trees/",
                            static_cast<long>(std::floor((x + dx - extent.x0) / side)), "/",
                            static_cast<long>(std::floor((y + dy - extent.y0) / side))));
    }
  }
  // Meshes of vehicles and things; of a city's chunks those near the way.
  const auto is_near = [&](const Json& thing) {
    if (!thing.contains("center")) return true;
    const double reach = thing.value("layer", "") == "ground" ? 40 : 100;  // [m]
    const double x = thing["center"][0], y = thing["center"][1], r = thing["radius"];
    for (std::size_t k = 0; k < replay->run_count(); ++k) {
      const std::vector<double> way = replay->run(k).list_positions();
      for (std::size_t i = 0; i + 1 < way.size(); i += 40)
        if (std::hypot(way[i] - x, way[i + 1] - y) < r + reach) return true;
    }
    return false;
  };
  for (const Json& thing : hello["static"])
    if (thing.contains("mesh") && is_near(thing))
      all.insert(concat("/api/mesh/", thing["mesh"].get<int>()));
  for (const Json& run : hello["runs"])
    for (const Json& vehicle : run["vehicles"])
      for (const Json& shape : vehicle["shapes"])
        if (shape.contains("mesh")) all.insert(concat("/api/mesh/", shape["mesh"].get<int>()));
  return all;
}

}  // namespace

std::string make_html(Replay* replay, std::string_view program, const PageText& text, double rate) {
  std::string data = "<script type=\"application/json\" id=\"camber-hello\">" +
                     to_element(replay->hello(program)) + "</script>\n";
  for (std::size_t r = 0; r < replay->run_count(); ++r) {
    RecordedRun& run = replay->run(r);
    const std::span<const double> times = run.times();
    const double own = times.size() < 2 || !(times.back() > times.front())
                           ? rate
                           : static_cast<double>(times.size() - 1) / (times.back() - times.front());
    const auto stride = static_cast<std::size_t>(std::max(1.0, std::ceil(own / rate - 1e-6)));
    data += concat(
        "<script type=\"text/plain\" id=\"camber-clip-", r, "\">",
        encode_base64(run.make_clip(static_cast<int>(r), times.front(), times.back(), stride, 9)),
        "</script>\n");
  }
  Json files = Json::object();
  std::string blob;
  for (const std::string& address : list_addresses(replay))
    if (const Answer answer = replay->answer(address); answer.status == 200) {
      files[address] = {blob.size(), answer.body.size()};
      blob += answer.body;
    }
  data += "<script type=\"text/plain\" id=\"camber-blob\">" +
          encode_base64(internal::deflate_all(blob, 9)) + "</script>\n";
  data +=
      "<script type=\"application/json\" id=\"camber-files\">" + to_element(files) + "</script>\n";
  std::string page = text.index;
  // Nothing is loaded from anywhere: the policy of the file itself forbids it.
  const std::string policy =
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src "
      "'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; connect-src data: blob:; "
      "form-action 'none'; base-uri 'none'\">\n";
  replace_once("<link rel=\"stylesheet\" href=\"/style.css\">",
               policy + "<style>" + text.style + "</style>", &page);
  replace_once("<script defer src=\"/app.js\"></script>", "", &page);
  data += "<script type=\"text/plain\" id=\"camber-app\">" +
          encode_base64(internal::deflate_all(text.script, 9)) + "</script>\n";
  replace_once("</body>", data + kStart + "</body>", &page);
  return page;
}

}  // namespace camber::view
