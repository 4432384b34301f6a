#include "service/database_numbering.hpp"

#include "base/log.hpp"
#include "domain/format/catalogue.hpp"
#include "service/run_once.hpp"
#include "store/format_store.hpp"
#include "store/issuance_store.hpp"
#include "store/number_store.hpp"
#include "store/series_store.hpp"
#include "store/token_store.hpp"
#include "store/verify_store.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

namespace gapless {

namespace asio = boost::asio;

namespace {

gatekeeper admission_by(journal* kept)
{
    if (!kept)
        return {};
    return [kept](database_life const& life, marks_reader const& read) {
        return kept->judge(life, read);
    };
}

/// One look at a time, and none that takes so long that what was seen before is stale.
thread_limits health_limits(std::chrono::milliseconds look_time_max)
{
    thread_limits limits;
    limits.threads = 1;
    limits.waiting_max = 1;
    limits.read_time_max = look_time_max;
    return limits;
}

std::function<void(series_mark const&)> memory_in(journal* kept)
{
    if (!kept)
        return {};
    return [kept](series_mark const& mark) { kept->note(mark); };
}

/// Threads, the look at the health, two lanes, one to spare.
int connections_of(thread_limits const& limits)
{
    return static_cast<int>(limits.threads) + 4;
}

}  // namespace

database_numbering::database_numbering(asio::io_context& io, numbering_settings settings)
    : io_{io},
      journal_{settings.journal.empty() ? nullptr : std::make_unique<journal>(settings.journal)},
      threads_{io, settings.database_url, settings.environment, settings.threads},
      health_thread_{io, settings.database_url, settings.environment, health_limits(look_time_max)},
      queue_{
          io,
          {.database_url = settings.database_url,
           .admit = admission_by(journal_.get()),
           .accept_risk = settings.accept_risk,
           .environment = settings.environment,
           .changed =
               [this] {
                   threads_.forget_connections();
                   health_thread_.forget_connections();
               }},
          settings.queue,
          {.remember = memory_in(journal_.get()),
           .locked = [this](std::int32_t series_id) { find_blocker(series_id); },
           .free_again = [this](std::int32_t series_id) { note_free(series_id); }}},
      tokens_{settings.token_life, settings.limits},
      quotas_{io, threads_},
      sweep_interval_{settings.sweep_interval},
      sweep_timer_{io},
      series_interval_{settings.series_interval},
      seal_interval_{settings.seal_interval},
      seal_timer_{io},
      health_timer_{io},
      accept_risk_{settings.accept_risk},
      connections_{connections_of(settings.threads)}
{
}

void database_numbering::start()
{
    queue_.start();
    sweep_later();
    asio::co_spawn(io_, watch_health(), asio::detached);
}

void database_numbering::stop()
{
    stopped_ = true;
    sweep_timer_.cancel();
    seal_timer_.cancel();
    health_timer_.cancel();
    queue_.stop();
    threads_.stop();
    health_thread_.stop();
    quotas_.return_all();
}

/// A change of that series. One of a name that is not known changes none.
work_order database_numbering::change_of(std::string_view series) const
{
    auto const* known = known_series(series);
    return {.kind = work_kind::write, .series_id = known ? known->series_id : 0};
}

series_entry const* database_numbering::known_series(std::string_view name) const
{
    auto const found = series_.find(name);
    return found == series_.end() ? nullptr : &found->second;
}

asio::awaitable<result<void>> database_numbering::learn_series(std::optional<std::string> name)
{
    auto look = [name = std::move(name)](pqxx::connection& connection) {
        return run_read(connection, [&](auto& transaction) {
            return read_series_settings(transaction, name);
        });
    };
    auto found = co_await threads_.run(std::move(look));
    if (found.has_error())
        co_return found.error();
    for (auto& known : *found)
        series_.try_emplace(
            known.name, series_entry{known.series_id, known.name, std::move(known.format)}
        );
    co_return result<void>{};
}

asio::awaitable<result<series_entry const*>> database_numbering::find_series(std::string name)
{
    if (auto const* known = known_series(name))
        co_return known;
    std::optional<std::string> wanted{name};
    auto const learnt = co_await learn_series(std::move(wanted));
    if (learnt.has_error())
        co_return learnt.error();
    if (auto const* known = known_series(name))
        co_return known;
    co_return refusal{refusal_kind::unknown_series, "there is no series '" + name + "'"};
}

void database_numbering::issue(issue_request request, std::unique_ptr<issue_listener> listener)
{
    queue_.submit(std::move(request), std::move(listener));
}

asio::awaitable<result<issuance_record>> database_numbering::read_issuance(issuance_id id)
{
    auto look = [id](pqxx::connection& connection) {
        return run_read(connection, [&](auto& transaction) {
            return gapless::read_issuance(transaction, id);
        });
    };
    co_return co_await threads_.run(std::move(look));
}

asio::awaitable<result<std::vector<series_record>>> database_numbering::list_series()
{
    auto look = [](pqxx::connection& connection) {
        return run_read(connection, [](auto& transaction) {
            return gapless::read_series(transaction, std::nullopt);
        });
    };
    co_return co_await threads_.run(std::move(look));
}

asio::awaitable<result<series_record>> database_numbering::read_series(std::string name)
{
    auto look = [name = std::move(name)](pqxx::connection& connection) {
        return run_read(connection, [&](auto& transaction) {
            return read_one_series(transaction, name);
        });
    };
    co_return co_await threads_.run(std::move(look));
}

asio::awaitable<result<rendered_answer>> database_numbering::create_series(
    series_draft draft,
    request_actor actor,
    std::optional<request_identity> identity,
    renderer<series_record> render
)
{
    auto create = [=](pqxx::connection& connection) {
        return run_once(connection, identity, [&](auto& transaction) {
            name_actor(transaction, actor);
            auto const created = gapless::create_series(transaction, draft, actor.name);
            return created.has_error() ? result<kept_answer>{created.error()}
                                       : result<kept_answer>{render(*created)};
        });
    };
    constexpr work_order changing{.kind = work_kind::write};
    co_return co_await threads_.run(std::move(create), changing);
}

asio::awaitable<result<series_record>> database_numbering::change_series(
    std::string name, series_change change, request_actor actor
)
{
    auto const changing = change_of(name);
    auto set = [=](pqxx::connection& connection) {
        return run_serializable(connection, {}, [&](auto& transaction) {
            name_actor(transaction, actor);
            return gapless::change_series(transaction, name, change, actor.name);
        });
    };
    co_return co_await threads_.run(std::move(set), changing);
}

asio::awaitable<result<verification>> database_numbering::verify(std::string series)
{
    if (verifying_)
        co_return refusal{
            refusal_kind::overloaded, "a verification is under way; try again when it is done"};
    verifying_ = true;
    auto recompute = [series = std::move(series)](pqxx::connection& connection) {
        return run_read(connection, [&](auto& transaction) -> result<verification> {
            auto const known = read_one_series(transaction, series);
            if (known.has_error())
                return known.error();
            return verify_series(transaction, *known);
        });
    };
    // Not through an exception unnoticed: the flag has to come down whatever happens.
    std::exception_ptr failure;
    constexpr work_order proving{.kind = work_kind::proof};
    result<verification> seen = refusal{refusal_kind::database_unavailable, {}};
    try
    {
        seen = co_await threads_.run(std::move(recompute), proving);
    }
    catch (...)
    {
        failure = std::current_exception();
    }
    verifying_ = false;
    if (failure)
        std::rethrow_exception(failure);
    co_return seen;
}

}  // namespace gapless
