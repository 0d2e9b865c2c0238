#include "camber/report/page.h"

#include <stdexcept>

#include <gtest/gtest.h>

namespace camber::report {
namespace {

TEST(Page, NeedsNothingOutsideItself) {
  Page page("Modes of <b>");
  page.add_heading("A & B").add_paragraph("x < y").add_list({"first", "second"});
  page.add_plot({.title = "p", .series = {{.label = "s", .x = {1.5, 2.5}, .y = {4, 3}}}});
  const std::string html = page.to_html();
  EXPECT_EQ(html.find("<script"), std::string::npos);
  EXPECT_EQ(html.find("src="), std::string::npos);
  EXPECT_EQ(html.find("href="), std::string::npos);
  EXPECT_NE(html.find("<title>Modes of &lt;b&gt;</title>"), std::string::npos);
  EXPECT_NE(html.find("<h2>A &amp; B</h2>"), std::string::npos);
  EXPECT_NE(html.find("<p>x &lt; y</p>"), std::string::npos);
}

TEST(Page, AlignsColumnsOfNumbersToTheRight) {
  Page page("t");
  page.add_table({.caption = "c",
                  .head = {"name", "value", "mixed"},
                  .rows = {{"a", "-1.5", "2"}, {"b", "3e-7", "two"}}});
  const std::string html = page.to_html();
  EXPECT_NE(html.find("<td class=\"number\">-1.5</td>"), std::string::npos);
  EXPECT_NE(html.find("<td>a</td>"), std::string::npos);
  EXPECT_NE(html.find("<td>2</td>"), std::string::npos);
}

// On a phone long names ran over the columns beside them, and units were not those of charts.
TEST(Page, BreaksLongNamesAndWritesUnitsAsChartsDo) {
  Page page("long");
  page.add_table(
      {.head = {"figure", "unit", "run_1"},
       .rows = {{"steady_lateral_acceleration<", "m/s^2", "a_b"}, {"wheels/load", "1", "3"}}});
  const std::string html = page.to_html();
  EXPECT_NE(html.find("<td>steady_<wbr>lateral_<wbr>acceleration&lt;</td><td>m/s\u00b2</td>"
                      "<td>a_b</td>"),
            std::string::npos)
      << html;
  EXPECT_NE(html.find("<td>wheels/<wbr>load</td><td></td>"), std::string::npos) << html;
}

TEST(Page, NamesTheRowThatDoesNotFitItsHead) {
  Page page("t");
  const Table table{.caption = "speeds", .head = {"a", "b"}, .rows = {{"1", "2"}, {"3"}}};
  try {
    page.add_table(table);
    FAIL() << "no exception";
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "Page: row 2 of table \"speeds\" has 1 cells, its head 2");
  }
}

}  // namespace
}  // namespace camber::report
