#include "cluster/worker_proxy.hpp"

#include <catch2/catch.hpp>

using namespace brewery;

namespace {

/// The job's bytes as a worker of this protocol gets them.
std::string granted(std::uint32_t protocol, const job& work) {
  worker_proxy::settings about;
  about.hello.protocol_max = protocol;
  worker_proxy proxy{about, microseconds{0}};
  lease_order order;
  order.work = std::make_shared<const job>(work);
  const auto step = proxy.order(order, microseconds{0});
  REQUIRE(step.frames.size() == 1);
  const auto message = wire::unframe(*step.frames.front());
  REQUIRE(message);
  return std::get<lease_grant>(*message).work;
}

} // namespace

TEST_CASE("workers of before get an integration in the form that they read") {
  counted_insight counted;
  counted.item = insight{{"i"}, "fan", "It hums.", {}, {}};
  counted.rollouts = {job_id{"r1"}, job_id{"r2"}};
  integrate_job work;
  work.id = {"j"};
  work.insights = {counted, counted};
  const auto sent = make_job(work);
  const auto plain = granted(protocol_with_compression - 1, sent);
  const auto packed = granted(protocol_with_compression, sent);
  CHECK(plain == wire::encode(sent, wire::writer::form::plain));
  CHECK(packed == wire::encode(sent));
  CHECK(packed == granted(protocol_newest, sent));
  CHECK(plain != packed);
  for (const auto& bytes : {plain, packed}) {
    const auto got = wire::decode<job>(bytes);
    REQUIRE(got);
    CHECK(*got == sent);
  }
}

namespace {

/// Has the list of a pool at hand.
class known_pool final : public told_insights::source {
public:
  explicit known_pool(std::vector<counted_insight> list)
      : source({"digest", {{"part"}}, {}, {}}), list_(std::move(list)) {}

private:
  [[nodiscard]] std::vector<counted_insight> make() const override {
    return list_;
  }
  std::vector<counted_insight> list_;
};

} // namespace

TEST_CASE("workers are told a pool by name, and those of before its list") {
  counted_insight counted;
  counted.item = insight{{"i"}, "fan", "It hums.", {}, {}};
  integrate_job work;
  work.id = {"j"};
  work.insights = told_insights{
      std::make_shared<known_pool>(std::vector{counted, counted})};
  const auto sent = make_job(work);
  const auto named = wire::decode<job>(granted(protocol_newest, sent));
  REQUIRE(named);
  const auto& told = std::get<integrate_job>(named->input).insights;
  REQUIRE(told.is_named_only());
  CHECK(told.reference()->parts == std::vector{doc_hash{"part"}});
  CHECK(told.empty()); // until the worker makes the list
  for (const auto protocol :
       {protocol_with_pools - 1, protocol_with_compression - 1}) {
    const auto got = wire::decode<job>(granted(protocol, sent));
    REQUIRE(got);
    CHECK(std::get<integrate_job>(got->input).insights.items()
          == std::vector{counted, counted});
  }
}

TEST_CASE("a worker that drains is told again with its welcome") {
  worker_proxy::settings about;
  about.session = 5;
  about.cluster = "c";
  worker_proxy proxy{about, microseconds{0}};
  const auto step = proxy.joined(
      {worker_id{1}, {}, drain_worker{"an operator"}}, microseconds{0});
  REQUIRE(step.send.size() == 2);
  CHECK(std::get<worker_welcome>(step.send[0]).cluster == "c");
  CHECK(std::get<drain_order>(step.send[1]).reason == "an operator");
  CHECK(std::get<drain_order>(step.send[1]).session == 5);
}
