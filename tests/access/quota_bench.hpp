#pragma once

#include "access/quota_cache.hpp"
#include "harness/database.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_future.hpp>
#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <string>
#include <string_view>
#include <thread>

namespace gapless::test {

/// An instance as far as quotas go: an I/O thread, database threads, a cache, a clock that can be
/// put on.
struct quota_instance
{
    boost::asio::io_context io;
    boost::asio::executor_work_guard<boost::asio::io_context::executor_type> guard{
        io.get_executor()};
    // Whether a disk stands still for longer than work may wait is not what is asked here.
    database_threads threads;
    std::atomic<quota_cache::clock::duration> ahead{};
    quota_cache cache{io, threads, [this] { return quota_cache::clock::now() + ahead.load(); }};
    std::thread runner{[this] { io.run(); }};

    explicit quota_instance(std::string const& url)
        : threads{io, url, {}, {.threads = 2, .wait_max = std::chrono::seconds{30}}}
    {
    }

    ~quota_instance()
    {
        guard.reset();
        io.stop();
        runner.join();
    }

    auto begin(std::int64_t quota, std::int32_t count, std::string_view key = "new")
    {
        principal who;
        who.token_id = 1;
        who.limits.daily_quota = quota;
        issue_request wanted;
        wanted.owner_id = 1;
        wanted.count = count;
        wanted.key = read_idempotency_key(key).value();
        return boost::asio::co_spawn(
            io, cache.take(std::make_shared<principal const>(who), wanted), boost::asio::use_future
        );
    }

    result<quota_share> take(std::int64_t quota, std::int32_t count, std::string_view key = "new")
    {
        return begin(quota, count, key).get();
    }

    /// Does something on the I/O thread.
    template <class Work>
    void run(Work work)
    {
        boost::asio::post(io, boost::asio::use_future(std::move(work))).get();
    }
};

/// A database with token 1.
struct quota_bench : database
{
    quota_bench()
    {
        database::run(
            "select gapless.token_create('shop', sha256('x'), '{issue}', null, null, 'test')"
        );
    }

    std::string reserved() { return run("select reserved from gapless.token_quota"); }
};

inline bool is_used_up(result<quota_share> const& outcome)
{
    return outcome.has_error() && outcome.error().kind == refusal_kind::too_many_requests;
}

}  // namespace gapless::test
