#include "reserve/lease_manager.hpp"

#include "base/as_outcome.hpp"
#include "base/log.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace gapless {

namespace asio = boost::asio;

namespace {

constexpr std::chrono::seconds renew_interval{1};  // from the end of a pass to the next one
constexpr std::chrono::seconds idle_interval{5};   // the same while no series has a reserve
constexpr std::chrono::seconds contact_interval_max{3};
constexpr std::chrono::milliseconds outage_look_interval{50};  // whether the database still answers

}  // namespace

lease_manager::lease_manager(
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
      thread_{io, settings_.database_url, std::move(check), {.threads = 1, .waiting_max = 4}},
      core_{settings_.keys_max},
      router_{io, queue, core_},
      tokens_{settings_.limits},
      timer_{io},
      look_timer_{io}
{
}

void lease_manager::start()
{
    if (settings_.folder.empty())
        return;
    router_.remember();
    router_.hold_back(unopened_->read(settings_.folder));
    asio::co_spawn(io_, keep(), asio::detached);
    look();
}

void lease_manager::stop()
{
    stopped_ = true;
    timer_.cancel();
    look_timer_.cancel();
    router_.use(nullptr);
    thread_.stop();
    if (!writer_ || !introduced_ || !queue_.connected())
        return;
    // Everything that the database has to record, as one piece of work.
    auto work = [writer = writer_,
                 who = who_,
                 marks = marks_,
                 left = core_.unsettled(),
                 drawn = core_.drawn(),
                 leases = core_.grants()](pqxx::connection& connection) {
        return settle_and_return(connection, who, left, drawn, leases, marks, *writer);
    };
    thread_.leave_behind(std::move(work));
}

asio::awaitable<void> lease_manager::rest()
{
    auto const interval = idle_ ? idle_interval : renew_interval;
    timer_.expires_after(goes_on_ ? std::chrono::seconds{} : interval);
    co_await timer_.async_wait(as_outcome);
}

asio::awaitable<void> lease_manager::keep()
{
    while (!stopped_)
    {
        // Requires that the admission check has admitted the database and that it answers.
        if (queue_.connected() && queue_.answers())
        {
            try
            {
                co_await pass();
            }
            catch (std::exception const& error)
            {
                note_trouble("reserve", {refusal_kind::database_unavailable, error.what()});
                introduced_ = goes_on_ = false;
            }
            trouble_ = std::exchange(new_trouble_, {});
        }
        else
        {
            introduced_ = goes_on_ = false;
        }
        if (!stopped_)
            co_await rest();
    }
}

/// Draws for requests waiting in the queue as soon as the database is found not to answer.
void lease_manager::look()
{
    if (stopped_)
        return;
    router_.take_waiting();
    router_.give_up_before(queue_clock::now() - settings_.answer_time_max);
    look_timer_.expires_after(outage_look_interval);
    look_timer_.async_wait([this](boost::system::error_code error) {
        if (!error)
            look();
    });
}

void lease_manager::on_connection_changed()
{
    if (stopped_)
        return;
    router_.take_waiting();
    timer_.cancel();  // check at once what there is to do
}

bool lease_manager::is_trusting() const
{
    return writer_ && !tokens_.empty() && !queue_.fenced_last() && !queue_.readable();
}

bool lease_manager::is_cut() const
{
    return writer_ && !queue_.fenced_last() && !queue_.answers();
}

result<std::shared_ptr<principal const>> lease_manager::trust(token_text const& token)
{
    auto found = tokens_.find(token, core_.database_now(reserve_now()));
    if (found.has_value())
        tokens_.note_used(token.token_id);
    return found;
}

bool lease_manager::note_trouble(std::string const& step, refusal const& why)
{
    // Logged once per reason, because it is retried each second.
    if (new_trouble_.insert(why.detail).second && !trouble_.contains(why.detail))
        log_event(
            why.kind == refusal_kind::fenced ? log_level::error : log_level::warning,
            "reserve_not_kept",
            {{"step", step}, {"why", why.detail}}
        );
    if (!is_of_one_series(why) && (why.kind == refusal_kind::database_unavailable ||
                                   why.kind == refusal_kind::outcome_unknown))
        introduced_ = false;
    return false;
}

reserve_figures lease_manager::figures() const
{
    auto const now = reserve_now();
    reserve_figures all{
        .answers = router_.answers(),
        .unsettled = core_.unsettled().size(),
        .cut = !queue_.answers(),
        .tokens_left_out = tokens_.left_out()};
    for (auto const& each : adopted_)
        all.unsettled += each->unsettled();
    for (auto const& grant : core_.grants())
        all.series.push_back(
            {.series = series_.name_of(grant.series_id),
             .rest = core_.rest(grant.series_id),
             .serves = !core_.obstacle(grant.series_id, now)}
        );
    // An alert sees a reserve that could not be had, too.
    for (auto const& each : wanted_)
        if (each.reserve_numbers &&
            std::ranges::find(all.series, each.series, &reserve_of_series::series) ==
                all.series.end())
            all.series.push_back({.series = each.series});
    return all;
}

// One pass of the manager: all possible steps, in the order in which they may be done. A step that
// fails ends the pass, unless somebody has locked its series; the next pass does what is left.

asio::awaitable<void> lease_manager::pass()
{
    idle_ = goes_on_ = false;
    if (!writer_ && !co_await begin())
        co_return static_cast<void>(co_await adopt());  // what is left behind needs no file of ours
    if (!writer_->failure().empty())
    {
        // Some of what was drawn is only in memory: settle all of it, without a claim.
        if (co_await settle() && core_.unsettled().empty())
            hand_over();
        co_return;
    }
    if (!introduced_ && !co_await introduce_us())
        co_return;
    if (!co_await contact())
        co_return;
    auto const drawn = !core_.unsettled().empty();
    if (!co_await settle())
        co_return;
    if (drawn && !co_await contact())  // refresh what is left of the leases
        co_return;
    if (!co_await adopt())
        co_return;
    auto const wanted = wanted_;
    for (auto const& each : wanted)
    {
        co_await see_to(each);
        if (!introduced_ || !co_await stay_in_contact())
            co_return;
    }
    co_await tell_outages();
}

asio::awaitable<bool> lease_manager::introduce_us()
{
    if (!claim_)
        claim_ = make_lease_id();
    auto work = [writer = writer_, who = who_, claim = *claim_](pqxx::connection& connection) {
        return introduce(connection, *writer, who, claim);
    };
    auto const claimed = co_await run(std::move(work));
    if (claimed.has_error())
        co_return note_trouble("introduce", claimed.error());
    claim_.reset();
    if (claimed->claimed)
    {
        who_.incarnation = claimed->incarnation;
        introduced_ = true;
        co_return true;
    }
    // Another process uses our name, or the database was put back: our answers are settled from the
    // file like another instance's, and we start anew.
    log_event(
        log_level::error,
        "reserve_is_a_copy",
        {{"file", writer_->file().string()}, {"instance", to_text(who_.instance)}}
    );
    auto const left = hand_over();
    if (!left)
        co_return false;
    auto retire = [left](pqxx::connection&) -> result<bool> {
        left->retire();
        return true;
    };
    if (auto const retired = co_await run(std::move(retire)); retired.has_error())
        note_trouble("retire", retired.error());
    co_return false;
}

/// In between steps that take long: an instance that is not heard of is given up for lost.
asio::awaitable<bool> lease_manager::stay_in_contact()
{
    if (!introduced_ || reserve_now().boot - contacted_.boot < contact_interval_max)
        co_return true;
    co_return co_await contact();
}

/// Renews our leases and reads what the database says now.
asio::awaitable<bool> lease_manager::contact()
{
    auto const sent = contacted_ = reserve_now();
    auto work = [who = who_, time = settings_.lease_time, used = tokens_.used()](
                    pqxx::connection& connection
                ) { return make_contact(connection, who, time, used); };
    auto found = co_await run(std::move(work));
    if (found.has_error())
    {
        if (found.error().kind == refusal_kind::state_conflict)
            introduced_ = false;  // our name may be in use elsewhere: the next pass finds out
        co_return note_trouble("contact", found.error());
    }
    std::vector<lease_word> words;
    for (auto const& each : found->leases.leases)
        words.push_back(
            {.lease = each.lease,
             .status = each.status,
             .draw_for = each.draw_for,
             .paused = each.paused,
             .fenced = each.fenced}
        );
    core_.renew(words, found->leases.now, sent);
    trust_tokens(std::move(found->tokens));
    std::set<std::int32_t> practising;
    for (auto const& each : found->wanted)
        if (each.drill)
            practising.insert(each.series_id);
    router_.practise(std::move(practising));
    wanted_ = std::move(found->wanted);
    co_return co_await note_others(found->holders);
}

void lease_manager::trust_tokens(lease_tokens&& tokens)
{
    auto const before = tokens_.left_out();
    tokens_.replace(std::move(tokens.tokens), tokens.in_all);
    if (before == 0 && tokens_.left_out() > 0)
        log_event(
            log_level::warning,
            "reserve_tokens_left_out",
            {{"tokens", tokens.in_all}, {"left_out", tokens_.left_out()}}
        );
}

/// Notes each instance once a day, so that the file stays short.
asio::awaitable<bool> lease_manager::note_others(std::vector<lease_holder> const& holders)
{
    std::vector<lease_holder> fresh;
    for (auto const& each : holders)
        if (auto const noted = heard_.find(each.instance);
            noted == heard_.end() || each.contact - noted->second > std::chrono::days{1})
            fresh.push_back(each);
    if (fresh.empty())
        co_return true;
    auto work = [writer = writer_, fresh](pqxx::connection&) {
        return note_holders(*writer, fresh);
    };
    auto const noted = co_await run(std::move(work));
    if (noted.has_error())
        co_return note_trouble("note others", noted.error());
    for (auto const& each : fresh)
        heard_[each.instance] = each.contact;
    co_return true;
}

/// Settles what was drawn. Returns true once the database knows everything, except of series that
/// somebody has locked.
asio::awaitable<bool> lease_manager::settle()
{
    std::set<lease_id> locked;
    for (std::uint64_t after = 0; !stopped_;)
    {
        auto next = next_round(core_.unsettled(), after, locked, core_.drawn());
        if (next.leases.empty())
            break;
        for (auto& each : next.leases)
            each.series_id = core_.series_of(each.lease);
        auto work =
            [next, who = who_, marks = marks_, writer = writer_](pqxx::connection& connection) {
                return settle_answers(connection, who, next.leases, next.upto, marks, writer.get());
            };
        auto const settled = co_await run(std::move(work));
        if (settled.has_error())
            co_return note_trouble("settle", settled.error());
        if (settled->size() == next.leases.size())
            after = next.last;
        auto forgotten = false;
        for (std::size_t n = 0; n < settled->size(); ++n)
        {
            auto const& each = next.leases[n];
            auto const& outcomes = (*settled)[n];
            if (outcomes.has_value())
            {
                count_settled(each, *outcomes);
                continue;
            }
            note_trouble("settle", outcomes.error());
            locked.insert(each.lease);
            forgotten = forgotten || outcomes.error().kind == refusal_kind::not_found;
        }
        if (forgotten)
        {
            // Put back to before the lease: an operator has to act, and we start anew.
            hand_over();
            co_return false;
        }
        if (!co_await stay_in_contact())
            co_return false;
    }
    co_return true;
}

void lease_manager::count_settled(settling const& what, std::vector<settled_record> const& outcomes)
{
    auto& sums = router_.outages()[what.series_id];
    for (auto const& record : what.records)
        sums.settle(record);
    sums.answered_twice +=
        std::ranges::count(outcomes, settle_outcome::twice, &settled_record::outcome);
    core_.settled(what.lease, what.sequence);
}

// Taking and returning leases, and the notices after an outage.

/// Returns a lease that is no longer wanted or was drawn on, and takes one that is wanted.
asio::awaitable<void> lease_manager::see_to(wanted_reserve wanted)
{
    if (wanted.status == lease_status::lost)
        co_return;
    auto const over = !wanted.reserve_numbers || wanted.status == lease_status::recalled;
    if (over)
        takings_.erase(wanted.series_id);  // what one in doubt may have got is returned
    auto const* const ours = core_.lease_of(wanted.series_id);
    auto const known = ours != nullptr && wanted.lease == ours->lease;
    auto const size = std::min(wanted.reserve_numbers.value_or(0), wanted.available);
    if (wanted.lease && !takings_.contains(wanted.series_id))
    {
        auto const better = wanted.reserve_numbers && wanted.rest != *wanted.reserve_numbers &&
                            (size > wanted.rest || wanted.rest > *wanted.reserve_numbers);
        if (known && !over && (!better || wanted.drill))
            co_return;
        // A lease unknown here: an earlier attempt to return it got no answer.
        auto const lease = *wanted.lease;
        core_.close(lease);
        if (!co_await give_back(wanted.series_id, lease))
            co_return;
        wanted.lease.reset();
        if (over && wanted.reserve_numbers)
            co_return;  // recalled: the next pass takes a new one
    }
    if (!wanted.reserve_numbers || wanted.paused || wanted.fenced || wanted.low ||
        (size == 0 && !takings_.contains(wanted.series_id)) || !core_.journal_trouble().empty())
        co_return;
    co_await take(std::move(wanted));
}

asio::awaitable<void> lease_manager::take(wanted_reserve wanted)
{
    // Its numbers must be formatted without a database.
    auto const entry = co_await series_.find(wanted.series);
    if (entry.has_error())
        co_return static_cast<void>(note_trouble("take", entry.error()));
    auto const [kept, fresh] = takings_.try_emplace(
        wanted.series_id,
        taking{
            .lease = make_lease_id(),
            .series_id = wanted.series_id,
            .count = std::min(*wanted.reserve_numbers, wanted.available),
            .lease_time = settings_.lease_time,
            .known = marks_ ? marks_->noted(wanted.series_id, {}).ordinal : 0}
    );
    auto const sent = reserve_now();
    auto work = [asked = kept->second, who = who_, marks = marks_, writer = writer_](
                    pqxx::connection& connection
                ) { return take_numbers(connection, who, asked, marks, *writer); };
    auto const taken = co_await run(std::move(work));
    auto const unsure =
        taken.has_error() && (taken.error().kind == refusal_kind::outcome_unknown ||
                              taken.error().kind == refusal_kind::database_unavailable ||
                              taken.error().kind == refusal_kind::state_conflict);
    if (!unsure)
        takings_.erase(wanted.series_id);
    if (taken.has_error())
        co_return static_cast<void>(note_trouble("take", taken.error()));
    if (!*taken)
        co_return;
    core_.keep((*taken)->grant, sent, (*taken)->draw_for);
    log_event(
        log_level::info,
        "reserve_taken",
        {{"series", wanted.series}, {"numbers", (*taken)->grant.count}}
    );
}

asio::awaitable<bool> lease_manager::give_back(std::int32_t series_id, lease_id lease)
{
    // Drawn on a moment ago, while the database did not answer: the next pass settles it first.
    if (std::ranges::find(core_.unsettled(), lease, &unsettled_answer::lease) !=
        core_.unsettled().end())
        co_return false;
    auto work = [lease, who = who_, writer = writer_](pqxx::connection& connection) {
        return give_back_lease(connection, who, lease, *writer);
    };
    auto const returned = co_await run(std::move(work));
    if (returned.has_error())
        co_return note_trouble("give back", returned.error());
    router_.outages()[series_id].returned += *returned;
    co_return true;
}

void lease_manager::add_notice(
    instance_identity const& who, std::int32_t series_id, outage_sums const& sums
)
{
    if (sums.issued == 0)
        return;
    auto const revoked =
        std::ranges::count_if(sums.owners, [&](auto owner) { return !tokens_.knows_owner(owner); });
    auto data = fmt::format(
        R"({{"instance":"{}","issued":"{}","since":"{}","returned":"{}","answered_twice":{},)"
        R"("tokens_revoked":{},"in_doubt":{}}})",
        to_text(who.instance),
        sums.issued,
        to_rfc3339(*sums.since),
        sums.returned,
        sums.answered_twice,
        revoked,
        sums.in_doubt
    );
    notices_.push_back({who, series_id, std::move(data)});
}

/// Sends one notice per instance and series after an outage; unsent notices are retried.
asio::awaitable<void> lease_manager::tell_outages()
{
    for (auto const& [series_id, sums] : std::exchange(router_.outages(), {}))
        if (router_.practises(series_id))
            router_.outages().emplace(series_id, sums);  // one notice, when the drill is over
        else
            add_notice(who_, series_id, sums);
    while (!notices_.empty())
    {
        auto const next = notices_.front();
        auto work = [next](pqxx::connection& connection) {
            return run_serializable(connection, {}, [&](auto& transaction) {
                note_settled(transaction, next.who, next.series_id, next.data);
                return true;
            });
        };
        auto const noted = co_await run(std::move(work));
        if (noted.has_error())
            note_trouble("notice", noted.error());
        if (noted.has_error() && (noted.error().kind == refusal_kind::database_unavailable ||
                                  noted.error().kind == refusal_kind::outcome_unknown))
            co_return;
        log_event(
            log_level::info,
            "reserve_settled",
            {{"series", series_.name_of(next.series_id)}, {"sums", next.data}}
        );
        notices_.erase(notices_.begin());
    }
}

}  // namespace gapless
