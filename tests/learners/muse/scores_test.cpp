#include "learners/muse/scores.hpp"

#include <catch2/catch.hpp>

using namespace brewery::muse;

namespace {

/// A row of the paper's table 10: points met, points there are, and S_partial
/// in percent as it is printed. Of the paper's subsets (table 5), 'l' is in the
/// 18 tasks of continual learning, 'h' in the 12 hard ones.
struct row {
  std::uint32_t met, total;
  double printed;
  char subset = ' ';
};

const std::vector<row> table10{
    {0, 2, 0},         {6, 6, 100},      {2, 4, 25},         {4, 4, 100},
    {4, 4, 100},       {6, 6, 100, 'l'}, {1, 4, 12.5},       {5, 7, 35.71},
    {5, 6, 41.67},     {0, 5, 0},        {0, 5, 0, 'h'},     {2, 3, 33.33, 'l'},
    {1, 3, 16.67},     {0, 4, 0},        {0, 2, 0},          {2, 6, 16.67},
    {0, 6, 0},         {5, 5, 100, 'l'}, {2, 5, 20, 'h'},    {4, 10, 20},
    {1, 2, 25},        {6, 6, 100},      {3, 4, 37.5},       {1, 6, 8.33},
    {1, 3, 16.67},     {3, 5, 30},       {3, 3, 100, 'h'},   {6, 6, 100, 'l'},
    {1, 8, 6.25},      {4, 4, 100, 'l'}, {3, 5, 30},         {0, 8, 0},
    {4, 4, 100, 'l'},  {3, 3, 100, 'l'}, {1, 6, 8.33},       {2, 4, 25},
    {2, 5, 20},        {1, 5, 10, 'h'},  {2, 2, 100, 'h'},   {2, 5, 20},
    {1, 6, 8.33},      {1, 4, 12.5},     {1, 2, 25},         {3, 7, 21.43},
    {1, 4, 12.5},      {0, 3, 0},        {2, 4, 25, 'l'},    {3, 3, 100},
    {4, 4, 100},       {5, 5, 100, 'l'}, {2, 4, 25},         {4, 4, 100},
    {1, 4, 12.5},      {3, 3, 100},      {4, 4, 100},        {3, 3, 100},
    {6, 10, 30, 'h'},  {5, 5, 100},      {1, 7, 7.14, 'h'},  {5, 5, 100},
    {3, 3, 100},       {4, 4, 100},      {5, 5, 100, 'l'},   {1, 4, 12.5},
    {6, 6, 100},       {4, 6, 33.33},    {1, 4, 12.5},       {4, 7, 28.57},
    {1, 4, 12.5},      {4, 4, 100},      {0, 2, 0, 'h'},     {1, 3, 16.67, 'l'},
    {1, 4, 12.5},      {1, 8, 6.25},     {3, 3, 100},        {5, 5, 100, 'l'},
    {3, 3, 100},       {5, 5, 100},      {3, 3, 100},        {1, 5, 10, 'l'},
    {3, 4, 37.5},      {3, 3, 100},      {6, 6, 100, 'l'},   {2, 3, 33.33},
    {2, 2, 100},       {4, 5, 40},       {2, 2, 100},        {2, 4, 25},
    {4, 4, 100},       {3, 7, 21.43},    {6, 6, 100},        {0, 3, 0, 'h'},
    {5, 5, 100},       {2, 5, 20},       {5, 5, 100},        {5, 5, 100},
    {4, 5, 40},        {4, 4, 100},      {2, 3, 33.33},      {7, 7, 100, 'l'},
    {5, 5, 100},       {3, 4, 37.5},     {2, 3, 33.33},      {6, 6, 100},
    {10, 12, 41.67},   {4, 8, 25},       {4, 7, 28.57, 'l'}, {0, 3, 0},
    {4, 4, 100},       {2, 2, 100},      {4, 4, 100},        {2, 3, 33.33},
    {1, 2, 25},        {1, 4, 12.5},     {2, 2, 100},        {2, 3, 33.33},
    {2, 2, 100},       {2, 2, 100},      {3, 3, 100},        {4, 4, 100},
    {9, 9, 100},       {7, 7, 100},      {2, 2, 100},        {2, 5, 20, 'h'},
    {1, 6, 8.33, 'h'}, {2, 4, 25},       {2, 3, 33.33},      {2, 2, 100},
    {2, 3, 33.33},     {6, 8, 37.5},     {2, 8, 12.5},       {0, 1, 0},
    {1, 1, 100},       {2, 2, 100},      {5, 5, 100},        {0, 3, 0},
    {3, 3, 100},       {2, 5, 20},       {2, 4, 25},         {3, 3, 100},
    {2, 5, 20},        {1, 12, 4.17},    {0, 3, 0},          {1, 6, 8.33},
    {0, 10, 0},        {0, 2, 0},        {2, 2, 100},        {0, 1, 0},
    {0, 8, 0},         {2, 5, 20},       {3, 4, 37.5},       {2, 3, 33.33},
    {5, 5, 100},       {5, 5, 100},      {3, 3, 100},        {1, 3, 16.67},
    {0, 2, 0},         {3, 4, 37.5},     {3, 4, 37.5},       {1, 6, 8.33},
    {0, 2, 0},         {2, 2, 100},      {5, 5, 100},        {2, 6, 16.67, 'h'},
    {2, 7, 14.29},     {1, 3, 16.67},    {4, 4, 100},        {1, 1, 100},
    {1, 4, 12.5},      {4, 4, 100, 'l'}, {3, 3, 100, 'l'},   {2, 2, 100},
    {2, 5, 20},        {2, 5, 20},       {2, 5, 20}};

std::vector<task_points> points(std::string_view subsets) {
  std::vector<task_points> out;
  for (const auto& one : table10)
    if (subsets.find(one.subset) != std::string_view::npos)
      out.push_back({one.met, one.total, one.met == one.total});
  return out;
}

} // namespace

TEST_CASE("checkpoint scores repeat the paper's table 10") {
  REQUIRE(table10.size() == 175);
  for (const auto& one : table10) {
    INFO(one.met << " of " << one.total);
    const task_points task{one.met, one.total, one.met == one.total};
    // The paper prints two digits.
    CHECK(100 * partial_score(task) == Approx(one.printed).margin(0.0051));
  }
  const auto all = score(points(" lh"));
  CHECK(all.met == 465);
  CHECK(all.total == 776);
  CHECK(100 * all.checkpoints == Approx(59.92).margin(0.005));
  CHECK(100 * all.partial == Approx(51.78).margin(0.005));
  CHECK(all.completed == 72);
  CHECK(100 * all.completion == Approx(41.14).margin(0.005));
}

TEST_CASE("checkpoint scores of the paper's subsets") {
  const auto learning = score(points("l"));
  CHECK(learning.total == 85);
  CHECK(points("l").size() == 18);
  const auto hard = score(points("h"));
  CHECK(points("h").size() == 12);
  CHECK(hard.total == 59);
  CHECK(hard.met == 20);
  CHECK(100 * hard.partial == Approx(26.01).margin(0.005));
  // Without the tasks it had learned on, the paper's figures are lower.
  const auto unseen = score(points(" h"));
  CHECK(100 * unseen.checkpoints == Approx(56.73).margin(0.005));
  CHECK(100 * unseen.partial == Approx(48.72).margin(0.005));
  CHECK(100 * unseen.completion == Approx(37.58).margin(0.005));
}

TEST_CASE("checkpoint scores of unusual tasks") {
  CHECK(score({}).partial == 0);
  CHECK(partial_score({0, 0, true}) == 1);
  CHECK(partial_score({0, 0, false}) == 0);
  // All points, but what is graded besides them failed.
  CHECK(partial_score({3, 3, false}) == 0.5);
  // More than there are: somebody counted wrongly, and it must not help.
  CHECK(partial_score({4, 3, false}) == 0.5);
}
