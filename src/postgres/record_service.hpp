#pragma once

#include "base/moment.hpp"
#include "postgres/database_work.hpp"
#include "postgres/run_once.hpp"
#include "record/principal.hpp"

#include <boost/asio/awaitable.hpp>

#include <any>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>

namespace gapless {

/// Who makes a change, under which key, to which series.
struct acting
{
    request_actor actor;
    std::optional<request_identity> identity{};  // none: the request has no key
    std::int32_t series_id{};                    // the series being changed; 0: none that exists
};

/// The answer of a use case, type-erased. Made by of() only: a refusal is not an answer.
class any_answer
{
public:
    template <class T>
    static any_answer of(T value)
    {
        any_answer made;
        made.value_ = std::move(value);
        return made;
    }

    std::any const& value() const noexcept { return value_; }

    /// The contained value, which is a T.
    template <class T>
    T take()
    {
        return std::any_cast<T>(std::move(value_));
    }

private:
    any_answer() = default;
    std::any value_;
};

/// The one way to run a use case: on a database thread, in its own transaction, with a deadline.
/// I/O thread.
class record_service
{
public:
    /// A type-erased use case, and what to do with it.
    struct job
    {
        std::any wanted;  // the use case itself, for a service without a database
        work_order order;
        std::function<result<any_answer>(pqxx::connection&)> work;  // a database thread; blocks

        // For a change:
        acting by{};
        std::function<kept_answer(std::any const&)> render{};  // empty: the answer is not rendered
    };

    virtual ~record_service() = default;

    /// When this process did an act under the key, as far as it remembers. Issuing does not look
    /// into the database for such keys: it would conflict with every act.
    virtual std::optional<database_time> acted_at(std::int32_t owner_id, idempotency_key const& key)
        const = 0;

    /// Runs a use case that reads, in one snapshot. Refuses also as the use case does.
    template <class Case>
    boost::asio::awaitable<result<typename Case::answer>> read(Case wanted)
    {
        return read_as(std::move(wanted), work_kind::read);
    }

    /// The same for one whose SQL asks what the token may see.
    template <class Case>
    boost::asio::awaitable<result<typename Case::answer>> read_for(Case wanted, acting by)
    {
        job work{.wanted = wanted, .order = {.kind = work_kind::read}};
        work.by = by;
        work.work = [=](pqxx::connection& connection) {
            return forget_type(run_read(connection, [&](pqxx::transaction_base& transaction) {
                name_actor(transaction, by.actor);
                return wanted.run(transaction);
            }));
        };
        auto done = co_await run(std::move(work));
        co_return remember_type<typename Case::answer>(std::move(done));
    }

    /// The same for one whose duration grows with the ledger. One at a time: a second one is
    /// refused with overloaded.
    template <class Case>
    boost::asio::awaitable<result<typename Case::answer>> prove(Case wanted)
    {
        return read_as(std::move(wanted), work_kind::proof);
    }

    /// The same for one that reads a carrier's invoice. One at a time, independent of proofs.
    template <class Case>
    boost::asio::awaitable<result<typename Case::answer>> compare(Case wanted)
    {
        return read_as(std::move(wanted), work_kind::comparison);
    }

    /// Runs a use case that changes something, once per key, and renders its answer; a repeated key
    /// gets the same answer again. Refuses with idempotency_key_reused, and as the use case does.
    template <class Act>
    boost::asio::awaitable<result<rendered_answer>> act(
        Act wanted,
        acting by,
        renderer<typename Act::answer> render,
        work_kind kind = work_kind::write
    )
    {
        job work{.wanted = wanted, .order = {.kind = kind, .series_id = by.series_id}};
        work.by = by;
        work.render = [render](std::any const& done) {
            return render(std::any_cast<typename Act::answer const&>(done));
        };
        work.work = [=](pqxx::connection& connection) {
            return forget_type(
                run_once(connection, by.identity, by.actor, by.series_id, wanted, render)
            );
        };
        auto done = remember_type<rendered_answer>(co_await run(std::move(work)));
        if (by.identity && done.has_value() && !done->replayed)
            note_act(by.identity->owner_id, by.identity->key);
        co_return done;
    }

    /// Runs a use case that changes something and needs no key, because it can be repeated.
    template <class Act>
    boost::asio::awaitable<result<typename Act::answer>> change(Act wanted, acting by)
    {
        job work{.wanted = wanted, .order = {.kind = work_kind::write, .series_id = by.series_id}};
        work.by = by;
        work.work = [=](pqxx::connection& connection) {
            return forget_type(run_write(
                connection,
                by.series_id,
                [&](pqxx::transaction_base& transaction) {
                    name_actor(transaction, by.actor);
                    return wanted.run(transaction, by.actor.name);
                }
            ));
        };
        auto done = co_await run(std::move(work));
        co_return remember_type<typename Act::answer>(std::move(done));
    }

    /// Runs a use case that would change something, rolls it back, and renders the answer that it
    /// would have had.
    template <class Act>
    boost::asio::awaitable<result<rendered_answer>> rehearse(
        Act wanted,
        acting by,
        renderer<typename Act::answer> render,
        work_kind kind = work_kind::write
    )
    {
        job work{.wanted = wanted, .order = {.kind = kind, .series_id = by.series_id}};
        work.by.actor = by.actor;  // and no key: it is not spent
        work.render = [render](std::any const& done) {
            return render(std::any_cast<typename Act::answer const&>(done));
        };
        work.work = [=](pqxx::connection& connection) {
            return forget_type(run_rehearsal(
                connection,
                by.series_id,
                [&](pqxx::transaction_base& transaction) -> result<rendered_answer> {
                    name_actor(transaction, by.actor);
                    auto const done = wanted.run(transaction, by.actor.name);
                    if (done.has_error())
                        return done.error();
                    return rendered_answer{render(*done), false};
                }
            ));
        };
        auto done = co_await run(std::move(work));
        co_return remember_type<rendered_answer>(std::move(done));
    }

private:
    virtual boost::asio::awaitable<result<any_answer>> run(job work) = 0;
    virtual void note_act(std::int32_t owner_id, idempotency_key const& key) = 0;

    template <class Case>
    boost::asio::awaitable<result<typename Case::answer>> read_as(Case wanted, work_kind kind)
    {
        job work{.wanted = wanted, .order = {.kind = kind}};
        work.work = [wanted](pqxx::connection& connection) {
            return forget_type(run_read(connection, [&](pqxx::transaction_base& transaction) {
                return wanted.run(transaction);
            }));
        };
        auto done = co_await run(std::move(work));
        co_return remember_type<typename Case::answer>(std::move(done));
    }

    template <class T>
    static result<any_answer> forget_type(result<T> done)
    {
        if (done.has_error())
            return done.error();
        return any_answer::of(std::move(*done));
    }

    template <class T>
    static result<T> remember_type(result<any_answer> done)
    {
        if (done.has_error())
            return done.error();
        return done->template take<T>();
    }
};

}  // namespace gapless
