#include "service/reserve_keeper.hpp"

#include "base/log.hpp"
#include "service/as_outcome.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <utility>

namespace gapless {

namespace asio = boost::asio;

namespace {

constexpr std::chrono::seconds renew_interval{1};  // from the end of a pass to the next one
constexpr std::chrono::milliseconds outage_look_interval{50};  // whether the database still answers

thread_limits limits_of_keeper()
{
    thread_limits limits;
    limits.threads = 1;
    limits.waiting_max = 4;
    return limits;
}

/// Of every journal of leases in the folder, whichever database it is of. One that cannot be read
/// is told of when it is opened.
reserve_desk::earlier_keys read_earlier_keys(std::filesystem::path const& folder)
{
    reserve_desk::earlier_keys keys;
    std::error_code error;
    for (auto const& entry : std::filesystem::directory_iterator{folder, error})
    {
        if (entry.path().extension() != ".lease")
            continue;
        try
        {
            for (auto const& one : lease_journal::read(entry.path()).unsettled)
                keys.insert({one.left.owner_id, one.left.key});
        }
        catch (lease_journal_failure const& failure)
        {
            log_event(log_level::warning, "reserve_not_kept", {{"why", failure.what()}});
        }
    }
    return keys;
}

}  // namespace

reserve_keeper::reserve_keeper(
    asio::io_context& io,
    reserve_settings settings,
    database_threads::connection_check check,
    issue_queue& queue,
    series_directory& series,
    journal* marks
)
    : io_{io},
      settings_{std::move(settings)},
      queue_{queue},
      series_{series},
      marks_{marks},
      thread_{io, settings_.database_url, std::move(check), limits_of_keeper()},
      core_{settings_.keys_max},
      desk_{io, queue, core_},
      tokens_{settings_.limits},
      timer_{io},
      look_timer_{io}
{
}

void reserve_keeper::start()
{
    if (settings_.folder.empty())
        return;
    desk_.hold_back(read_earlier_keys(settings_.folder));
    asio::co_spawn(io_, keep(), asio::detached);
    look();
}

void reserve_keeper::stop()
{
    stopped_ = true;
    timer_.cancel();
    look_timer_.cancel();
    desk_.use(nullptr);
    thread_.stop();
    if (!writer_ || !introduced_ || !queue_.connected())
        return;
    // Everything that the database has to learn, in one piece of work.
    auto work = [writer = writer_,
                 who = who_,
                 marks = marks_,
                 left = core_.unsettled(),
                 leases = core_.grants()](pqxx::connection& connection) -> result<bool> {
        for (auto next = left.begin(); next != left.end();)
        {
            settling chunk{.lease = next->lease};
            for (auto const& grant : leases)
                if (grant.lease == chunk.lease)
                    chunk.series_id = grant.series_id;
            while (next != left.end() && next->lease == chunk.lease &&
                   chunk.records.size() < settle_records_max)
            {
                chunk.sequence = next->sequence;
                chunk.records.push_back(next++->left);
            }
            if (auto done = settle_answers(connection, who, chunk, marks, writer.get());
                done.has_error())
                return done.error();
        }
        for (auto const& grant : leases)
            if (auto done = give_back_lease(connection, who, grant.lease, *writer);
                done.has_error())
                return done.error();
        return true;
    };
    thread_.leave_behind(std::move(work));
}

asio::awaitable<void> reserve_keeper::rest()
{
    timer_.expires_after(renew_interval);
    co_await timer_.async_wait(as_outcome);
}

asio::awaitable<void> reserve_keeper::keep()
{
    while (!stopped_)
    {
        // The gatekeeper has to have admitted the database, and it has to answer.
        if (queue_.connected() && queue_.answers())
        {
            try
            {
                co_await pass();
            }
            catch (std::exception const& error)
            {
                note_trouble("reserve", {refusal_kind::database_unavailable, error.what()});
            }
        }
        else
        {
            introduced_ = false;
        }
        if (!stopped_)
            co_await rest();
    }
}

/// Those who wait in the queue are drawn for as soon as the database is found not to answer.
void reserve_keeper::look()
{
    if (stopped_)
        return;
    desk_.take_waiting();
    look_timer_.expires_after(outage_look_interval);
    look_timer_.async_wait([this](boost::system::error_code error) {
        if (!error)
            look();
    });
}

void reserve_keeper::on_lane_changed()
{
    if (stopped_)
        return;
    desk_.take_waiting();
    timer_.cancel();  // looks at once what there is to do
}

bool reserve_keeper::is_trusting() const
{
    return writer_ && !tokens_.empty() && !queue_.fenced() && !queue_.answers();
}

result<std::shared_ptr<principal const>> reserve_keeper::trust(token_text const& token)
{
    return tokens_.find(token, core_.database_now(reserve_now()));
}

bool reserve_keeper::note_trouble(std::string const& step, refusal const& why)
{
    // Once per reason: it is tried again each second.
    if (why.detail != trouble_)
        log_event(
            why.kind == refusal_kind::fenced ? log_level::error : log_level::warning,
            "reserve_not_kept",
            {{"step", step}, {"why", why.detail}}
        );
    trouble_ = why.detail;
    if (why.kind == refusal_kind::database_unavailable || why.kind == refusal_kind::outcome_unknown)
        introduced_ = false;
    return false;
}

reserve_figures reserve_keeper::figures() const
{
    auto const now = reserve_now();
    reserve_figures all{
        .answers = desk_.answers(),
        .unsettled = core_.unsettled().size(),
        .cut = !queue_.answers()};
    for (auto const& grant : core_.grants())
        all.series.push_back(
            {.series = series_.name_of(grant.series_id),
             .rest = core_.rest(grant.series_id),
             .serves = !core_.obstacle(grant.series_id, now)}
        );
    return all;
}

}  // namespace gapless
