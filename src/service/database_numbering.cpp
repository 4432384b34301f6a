#include "service/database_numbering.hpp"

#include "base/log.hpp"
#include "domain/format/catalogue.hpp"
#include "service/run_once.hpp"
#include "store/format_store.hpp"
#include "store/issuance_store.hpp"
#include "store/number_store.hpp"
#include "store/schema.hpp"
#include "store/series_store.hpp"
#include "store/token_store.hpp"
#include "store/verify_store.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

namespace gapless {

namespace asio = boost::asio;

namespace {

refusal unauthenticated()
{
    return {
        refusal_kind::unauthenticated, "present a token in force: Authorization: Bearer gapless_…"};
}

gatekeeper admission_by(journal* kept)
{
    if (!kept)
        return {};
    return [kept](database_life const& life, marks_reader const& read) {
        return kept->judge(life, read);
    };
}

std::function<void(series_mark const&)> memory_in(journal* kept)
{
    if (!kept)
        return {};
    return [kept](series_mark const& mark) { kept->note(mark); };
}

}  // namespace

database_numbering::database_numbering(asio::io_context& io, numbering_settings settings)
    : io_{io},
      journal_{settings.journal.empty() ? nullptr : std::make_unique<journal>(settings.journal)},
      threads_{io, settings.database_url, settings.threads},
      queue_{
          io,
          threads_.bare(),
          {.database_url = settings.database_url,
           .admit = admission_by(journal_.get()),
           .changed = [this] { threads_.forget_connections(); }},
          settings.queue,
          memory_in(journal_.get())},
      tokens_{settings.token_life},
      sweep_interval_{settings.sweep_interval},
      sweep_timer_{io},
      series_interval_{settings.series_interval}
{
}

void database_numbering::start()
{
    queue_.start();
    sweep_later();
}

void database_numbering::stop()
{
    sweep_timer_.cancel();
    queue_.stop();
}

std::shared_ptr<principal const> database_numbering::known_principal(std::string_view token)
{
    auto const parts = read_token(token);
    if (!parts)
        return nullptr;
    auto known = tokens_.find(*parts, token_cache::clock::now());
    if (known.due)
        asio::co_spawn(io_, renew_token(parts->token_id), asio::detached);
    return std::move(known.who);
}

asio::awaitable<result<std::vector<token_record>>> database_numbering::read_token_record(
    std::int32_t token_id
)
{
    auto look = [token_id](pqxx::connection& connection) {
        return run_read(connection, [&](auto& transaction) {
            return read_tokens(transaction, token_id);
        });
    };
    co_return co_await threads_.run(std::move(look));
}

asio::awaitable<void> database_numbering::renew_token(std::int32_t token_id)
{
    auto const found = co_await read_token_record(token_id);
    if (found && found->size() == 1)
        tokens_.keep(found->front(), token_cache::clock::now());
    else if (found)
        tokens_.forget(token_id);
}

asio::awaitable<result<std::shared_ptr<principal const>>> database_numbering::identify(
    std::string token
)
{
    auto const parts = read_token(token);
    if (!parts)
        co_return unauthenticated();
    auto const found = co_await read_token_record(parts->token_id);
    if (found.has_error())
        co_return found.error();
    if (found->size() == 1)
        tokens_.keep(found->front(), token_cache::clock::now());
    auto who = tokens_.find(*parts, token_cache::clock::now()).who;
    if (!who)
        co_return unauthenticated();
    co_return who;
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
    std::string actor,
    std::optional<request_identity> identity,
    renderer<series_record> render
)
{
    auto create = [=](pqxx::connection& connection) {
        return run_once(connection, identity, [&](auto& transaction) {
            auto const created = gapless::create_series(transaction, draft, actor);
            return created.has_error() ? result<kept_answer>{created.error()}
                                       : result<kept_answer>{render(*created)};
        });
    };
    co_return co_await threads_.run(std::move(create));
}

asio::awaitable<result<series_record>> database_numbering::change_series(
    std::string name, series_change change, std::string actor
)
{
    auto set = [=](pqxx::connection& connection) {
        return run_serializable(connection, {}, [&](auto& transaction) {
            return gapless::change_series(transaction, name, change, actor);
        });
    };
    co_return co_await threads_.run(std::move(set));
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
    result<verification> seen = refusal{refusal_kind::database_unavailable, {}};
    try
    {
        seen = co_await threads_.run(std::move(recompute));
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

asio::awaitable<readiness> database_numbering::check_readiness()
{
    auto look = [](pqxx::connection& connection) {
        return run_read(connection, [](auto& transaction) {
            auto const row = transaction.exec1("select * from gapless.health()");
            readiness state;
            state.database = true;
            state.schema = row["migration"].template as<int>() == newest_migration() &&
                           row["functions"].template as<std::string>() == functions_checksum();
            state.primary = !row["in_recovery"].template as<bool>();
            state.epoch = row["epoch"].template as<std::int32_t>();
            state.fenced = row["fenced"].template as<bool>();
            return state;
        });
    };
    auto const found = co_await threads_.run(std::move(look));
    readiness state;
    if (found.has_error())
    {
        state.detail = found.error().detail;
        // A database that answers but has no schema of ours is told apart by what it said.
        state.database = state.detail.find("schema of gapless") != std::string::npos;
        state.primary = state.database;
        co_return state;
    }
    state = *found;
    state.lane = queue_.connected();
    state.fenced = queue_.fenced() || state.fenced;
    if (!state.schema)
        state.detail = "the database has another version's schema; run: gapless migrate up";
    else if (!state.primary)
        state.detail = "the server is a standby; numbers are issued on the primary only";
    else if (state.fenced)
        state.detail =
            "fenced, no number leaves: " + queue_.trouble() + "; see: gapless epoch show";
    else if (!state.lane)
        state.detail = "the issuing connection does not stand: " + queue_.trouble();
    co_return state;
}

}  // namespace gapless
