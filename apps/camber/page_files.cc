#include "apps/camber/page_files.h"

#include <deque>

#include "camber/core/file.h"

// The files as they are, between two labels each.
#define CAMBER_EMBED(label, file)                                                          \
  asm(".pushsection .rodata\n.balign 16\n" #label "_begin:\n.incbin \"" CAMBER_PAGE_FOLDER \
      "/" file "\"\n" #label "_end:\n.byte 0\n.popsection");                               \
  extern "C" const char label##_begin[], label##_end[]

CAMBER_EMBED(camber_page_index, "index.html.gz");
CAMBER_EMBED(camber_page_app, "app.js.gz");
CAMBER_EMBED(camber_page_style, "style.css.gz");

namespace camber::app {
namespace {

constexpr const char* kHtml = "text/html; charset=utf-8";
constexpr const char* kScript = "text/javascript; charset=utf-8";
constexpr const char* kStyle = "text/css; charset=utf-8";
constexpr std::size_t kMaxBytes = 16 << 20;

constexpr std::string_view kMissing =
    "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>camber</title>\n"
    "<h1>The page is not in this program</h1>\n"
    "<p>camber was built where npm or the network was missing. Install nodejs and npm, then run "
    "<code>make page</code> in camber's folder and start this command again.</p>\n"
    "<p>The drive runs meanwhile, and its folder is written when camber ends.</p>\n</html>\n";

std::string_view between(const char* begin, const char* end) {
  return {begin, static_cast<std::size_t>(end - begin)};
}

}  // namespace

std::vector<server::PageFile> list_page_files() {
  const std::string_view index = between(camber_page_index_begin, camber_page_index_end);
  if (index.empty()) return {};
  return {{"/", kHtml, index},
          {"/app.js", kScript, between(camber_page_app_begin, camber_page_app_end)},
          {"/style.css", kStyle, between(camber_page_style_begin, camber_page_style_end)}};
}

std::vector<server::PageFile> read_page_files(const std::string& folder) {
  static std::deque<std::string> kept;
  const auto read = [&](const std::string& name) -> std::string_view {
    return kept.emplace_back(read_file(folder + "/" + name, kMaxBytes));
  };
  return {{"/", kHtml, read("index.html.gz")},
          {"/app.js", kScript, read("app.js.gz")},
          {"/style.css", kStyle, read("style.css.gz")}};
}

const std::vector<server::PageFile>& missing_page() {
  static const std::vector<server::PageFile> files = {{"/", kHtml, kMissing, false}};
  return files;
}

}  // namespace camber::app
