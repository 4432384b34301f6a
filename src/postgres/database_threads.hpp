#pragma once

#include "postgres/database_work.hpp"
#include "postgres/outcome.hpp"
#include "postgres/transaction.hpp"

#include <boost/asio/async_result.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gapless {

/// How many database threads there are, and how much work may wait for them and how long; each
/// value is a setting of gaplessd.
struct thread_limits
{
    std::size_t threads{4};                     // and connections, opened when first needed
    std::size_t waiting_max{1'000};             // pieces of work; beyond: overloaded
    std::chrono::milliseconds wait_max{2'000};  // until a thread starts it; beyond: overloaded

    // From the start to the answer, connecting included; beyond: database_unavailable or, if
    // something may have been changed, outcome_unknown.
    std::chrono::milliseconds read_time_max{5'000};
    std::chrono::milliseconds write_time_max{10'000};
    std::chrono::milliseconds proof_time_max{3'600'000};
    std::chrono::milliseconds comparison_time_max{120'000};
    std::chrono::milliseconds load_time_max{120'000};  // like write_time_max
};

/// A few threads, each with its own database connection, for everything that blocks. Work waits in
/// a bounded queue; a broken connection is replaced when it is next needed.
///
/// Work that takes too long loses its connection: the caller is answered, the socket is shut down,
/// and libpq returns at once. So a frozen server holds no thread beyond a deadline; while a thread
/// connects, connect_timeout is the bound.
///
/// Reads never wait for locks, other work may. Such work never occupies all threads, and work on
/// one series runs one at a time: a locked series blocks one thread, and no read. So do loads.
class database_threads
{
public:
    /// Why the database of a new connection must not be used; empty: it may. Called on a database
    /// thread; may be an empty function.
    using connection_check = std::function<std::string(pqxx::connection&)>;

    /// A database that `check` rejects counts as unreachable.
    database_threads(
        boost::asio::io_context& io,
        std::string url,
        connection_check check,
        thread_limits const& limits
    );

    /// Waits a moment for abandoned work, then cuts it off.
    ~database_threads();

    /// Answers all callers with database_unavailable or outcome_unknown, and cuts off work under
    /// way; no new work is accepted. The callers resume in a later round of the I/O thread.
    void stop();

    /// Replaces all current connections before their next use: they may lead to a former primary.
    /// Any thread; does not wait.
    void forget_connections();

    /// Runs `work(pqxx::connection&)`, which returns a result<T>, on a database thread; the caller
    /// resumes on the I/O thread. `work` must own what it uses: it may still run when the caller is
    /// gone. Refuses with overloaded if too much work waits or its turn came too late, with
    /// database_unavailable if there is no connection or a read took too long, with outcome_unknown
    /// if other work did; rethrows what `work` throws. I/O thread.
    template <class Work>
    auto run(Work work, work_order order = {})
        -> boost::asio::awaitable<std::invoke_result_t<Work&, pqxx::connection&>>
    {
        using outcome = std::invoke_result_t<Work&, pqxx::connection&>;
        if (auto why = find_obstacle())
            co_return std::move(*why);
        auto initiate = [this](auto handler, Work job, work_order const& wanted) {
            take_up(std::make_shared<awaited<outcome, Work, decltype(handler)>>(
                *this, wanted, std::move(job), std::move(handler)
            ));
        };
        co_return co_await boost::asio::
            async_initiate<boost::asio::use_awaitable_t<> const, void(std::exception_ptr, outcome)>(
                initiate, boost::asio::use_awaitable, std::move(work), order
            );
    }

    /// Runs `work(pqxx::connection&)` on a database thread and discards its result: for the
    /// shutdown, when the I/O thread no longer runs. The destructor waits for it.
    template <class Work>
    void leave_behind(Work work)
    {
        using outcome = std::invoke_result_t<Work&, pqxx::connection&>;
        auto nobody = [](std::exception_ptr const&, outcome const&) {};
        send_off(std::make_shared<awaited<outcome, Work, decltype(nobody)>>(
            *this, work_order{.kind = work_kind::write}, std::move(work), nobody
        ));
    }

private:
    struct lent
    {
        std::shared_ptr<pqxx::connection> connection;
        std::shared_ptr<connection_switch> line;
        std::uint64_t generation{};
    };

    /// Work that a thread can do.
    class doable : public database_work
    {
    public:
        using database_work::database_work;

        /// Runs it on a thread, and keeps the result.
        virtual void work() = 0;
    };

    template <class Outcome, class Work, class Handler>
    class awaited : public doable
    {
    public:
        awaited(database_threads& owner, work_order const& wanted, Work job, Handler handler)
            : doable{wanted},
              owner_{owner},
              job_{std::move(job)},
              handler_{std::move(handler)}
        {
        }

        void work() override
        {
            try
            {
                answer_ = owner_.with_connection<Outcome>(*this, job_);
                if (answer_.has_error())
                    answer_ = to_service_refusal(answer_.error());
            }
            catch (...)
            {
                failure_ = std::current_exception();
            }
        }

        void tell() override { resume(failure_, std::move(answer_)); }
        void give_up(refusal why) override { resume({}, std::move(why)); }

    private:
        void resume(std::exception_ptr failure, Outcome answer)
        {
            // Moved out first: the caller may hold the last reference to this.
            auto waiting = std::move(*handler_);
            handler_.reset();
            std::move(waiting)(std::move(failure), std::move(answer));
        }

        database_threads& owner_;
        Work job_;
        std::optional<Handler> handler_;  // the caller; destroyed on the I/O thread
        std::exception_ptr failure_;
        Outcome answer_ = refusal{refusal_kind::database_unavailable, {}};
    };

    using work_list = std::list<std::shared_ptr<doable>>;

    template <class Outcome, class Work>
    Outcome with_connection(database_work& work, Work& job)
    {
        try
        {
            auto used = take_connection(work);
            if (!work.begin())
                return cut_off_refusal();
            Outcome answer = job(*used.connection);
            work.let_go();
            if (answer.has_value() || is_open(used))
            {
                give_back(work, std::move(used));
                return answer;
            }
            if (answer.error().kind != refusal_kind::database_unavailable || work.is_cut_off())
                return answer;
            // It broke while idle, or before COMMIT: nothing happened, so try once more on a new
            // connection.
            used = renew_connection(work);
            if (!work.begin())
                return cut_off_refusal();
            answer = job(*used.connection);
            work.let_go();
            if (answer.has_value() || is_open(used))
                give_back(work, std::move(used));
            return answer;
        }
        catch (database_unreachable const& error)
        {
            work.let_go();
            return tell(error);
        }
    }

    static bool is_open(lent const& used) noexcept;
    static refusal cut_off_refusal();
    refusal tell(database_unreachable const& error);
    std::optional<refusal> find_obstacle() const;
    void take_up(std::shared_ptr<doable> work);
    void deal_out();
    bool may_run(work_order const& order) const;
    void send_off(std::shared_ptr<doable> work);
    void on_done(doable const* done);
    void give_up_later(std::shared_ptr<doable> const& work, refusal why);
    refusal cut_off(doable& work, std::string const& why);
    void watch_later();
    void look_at_deadlines();
    std::chrono::milliseconds time_max(work_kind kind) const noexcept;
    lent open(database_work& work) const;
    lent take_connection(database_work& work);
    lent renew_connection(database_work& work);
    void give_back(database_work& work, lent used);

    boost::asio::io_context& io_;
    std::string url_;
    connection_check check_;
    thread_limits limits_;

    // I/O thread only.
    work_list waiting_;
    work_list running_;  // on a thread, whether or not a caller waits
    bool stopped_{};
    bool watching_{};
    boost::asio::steady_timer watch_;

    std::mutex mutex_;  // guards what follows
    std::condition_variable all_done_;
    std::vector<std::shared_ptr<doable>> sent_off_;
    std::uint64_t generation_{};
    std::vector<lent> idle_;
    std::string unreachable_;  // as last logged; empty: reachable
    boost::asio::thread_pool pool_;
};

}  // namespace gapless
