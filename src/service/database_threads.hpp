#pragma once

#include "store/connection.hpp"
#include "store/transaction.hpp"

#include <boost/asio/async_result.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace gapless {

/// How many database threads there are, and who may wait for them; each is a setting of gaplessd.
struct thread_limits
{
    std::size_t threads{4};                     // and connections, opened when first needed
    std::size_t waiting_max{1'000};             // pieces of work; beyond: overloaded
    std::chrono::milliseconds wait_max{2'000};  // until a thread takes one up; beyond: overloaded
};

/// A few threads, each with a database connection of its own, for everything that blocks. Work
/// waits in a bounded queue; a connection that broke is replaced when it is needed next.
class database_threads
{
public:
    /// A database of another environment than this one (empty: any) counts as unreachable.
    database_threads(
        boost::asio::io_context& io,
        std::string url,
        std::string environment,
        thread_limits const& limits
    );
    ~database_threads();

    /// Lets running work finish; nothing new is taken.
    void stop();

    /// The bare threads, for work without a connection.
    boost::asio::thread_pool& bare() noexcept { return pool_; }

    /// Uses none of the present connections again: they may lead to a server that was the primary.
    /// Any thread; does not wait.
    void forget_connections();

    /// Runs `work(pqxx::connection&)`, which returns a result<T>, on a database thread; the caller
    /// resumes on the I/O thread. Refuses with overloaded when too much waits, or when its turn
    /// came too late, with database_unavailable when there is no connection; rethrows what `work`
    /// throws.
    template <class Work>
    auto run(Work work) -> boost::asio::awaitable<std::invoke_result_t<Work&, pqxx::connection&>>
    {
        using outcome = std::invoke_result_t<Work&, pqxx::connection&>;
        if (!admit())
            co_return refusal{
                refusal_kind::overloaded,
                "too many requests wait for the database; try again later"};

        auto initiate = [this](auto handler, Work job) {
            auto const latest = std::chrono::steady_clock::now() + limits_.wait_max;
            auto blocking = [this, latest, handler = std::move(handler), job = std::move(job)](
                            ) mutable {
                std::exception_ptr failure;
                outcome answer = refusal{refusal_kind::database_unavailable, {}};
                try
                {
                    if (std::chrono::steady_clock::now() > latest)
                        answer = refusal{
                            refusal_kind::overloaded,
                            "the request waited too long for the database; try again later"};
                    else
                        answer = with_connection<outcome>(job);
                }
                catch (...)
                {
                    failure = std::current_exception();
                }
                leave();
                auto resume = [handler = std::move(handler), failure, answer = std::move(answer)](
                              ) mutable { std::move(handler)(failure, std::move(answer)); };
                boost::asio::post(io_, std::move(resume));
            };
            boost::asio::post(pool_, std::move(blocking));
        };
        co_return co_await boost::asio::
            async_initiate<boost::asio::use_awaitable_t<> const, void(std::exception_ptr, outcome)>(
                initiate, boost::asio::use_awaitable, std::move(work)
            );
    }

    /// Runs `work(pqxx::connection&)` on a database thread and drops what comes of it: for the end,
    /// when the I/O thread does not run any more. The destructor waits for it.
    template <class Work>
    void leave_behind(Work work)
    {
        auto blocking = [this, job = std::move(work)]() mutable {
            try
            {
                with_connection<std::invoke_result_t<Work&, pqxx::connection&>>(job);
            }
            catch (std::exception const&)
            {
                return;  // there is nobody to tell
            }
        };
        boost::asio::post(pool_, std::move(blocking));
    }

private:
    struct lent
    {
        std::unique_ptr<pqxx::connection> connection;
        std::uint64_t generation{};
    };

    template <class Outcome, class Work>
    Outcome with_connection(Work& work)
    {
        try
        {
            auto used = take_connection();
            Outcome answer = work(*used.connection);
            if (answer.has_value() || used.connection->is_open())
            {
                give_back(std::move(used));
                return answer;
            }
            if (answer.error().kind != refusal_kind::database_unavailable)
                return answer;
            // It broke while it was idle, or before COMMIT: nothing happened, so once more on a new
            // one.
            used = renew_connection();
            answer = work(*used.connection);
            if (answer.has_value() || used.connection->is_open())
                give_back(std::move(used));
            return answer;
        }
        catch (database_unreachable const& error)
        {
            return refusal{refusal_kind::database_unavailable, error.what()};
        }
    }

    bool admit() noexcept;
    void leave() noexcept;
    std::unique_ptr<pqxx::connection> open() const;
    lent take_connection();
    lent renew_connection();
    void give_back(lent used);

    boost::asio::io_context& io_;
    std::string url_;
    std::string environment_;
    thread_limits limits_;
    std::atomic<std::size_t> waiting_{};
    std::mutex mutex_;  // guards what follows
    std::uint64_t generation_{};
    std::vector<std::unique_ptr<pqxx::connection>> idle_;
    boost::asio::thread_pool pool_;
};

}  // namespace gapless
