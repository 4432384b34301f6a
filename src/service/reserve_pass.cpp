#include "base/log.hpp"
#include "domain/moment.hpp"
#include "service/reserve_keeper.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <ranges>
#include <utility>

/// One pass of the keeper: what may have to be done, in the order in which it may be done. A step
/// that fails ends the pass; the next one begins where it has to.
namespace gapless {

namespace asio = boost::asio;

/// Runs a step on the keeper's thread; a disk that fails is a refusal like others.
template <class Work>
auto reserve_keeper::run(Work work)
{
    auto guarded = [work = std::move(work)](pqxx::connection& connection
                   ) mutable -> std::invoke_result_t<Work&, pqxx::connection&> {
        try
        {
            return work(connection);
        }
        catch (lease_journal_failure const& failure)
        {
            return refusal{refusal_kind::state_conflict, failure.what()};
        }
        catch (journal_failure const& failure)
        {
            return refusal{refusal_kind::state_conflict, failure.what()};
        }
    };
    return thread_.run(std::move(guarded), work_order{.kind = work_kind::write});
}

asio::awaitable<void> reserve_keeper::pass()
{
    if (!writer_ && !co_await begin())
        co_return;
    if (!introduced_ && !co_await introduce_us())
        co_return;
    if (!co_await contact())
        co_return;
    if (!co_await settle())
        co_return;
    if (!co_await adopt())
        co_return;
    auto const wanted = wanted_;
    for (auto const& each : wanted)
        if (!co_await see_to(each))
            co_return;
    co_await tell_outages();
    trouble_.clear();
}

/// Looks whether there is anything to do at all; opens or makes the journal. True: there is one.
asio::awaitable<bool> reserve_keeper::begin()
{
    auto work = [folder = settings_.folder](pqxx::connection& connection) {
        return find_reserve_home(connection, folder);
    };
    auto const home = co_await run(std::move(work));
    if (home.has_error())
        co_return note_trouble("begin", home.error());
    if (!home->wanted && home->files.empty())
        co_return false;
    try
    {
        open_files(*home);
    }
    catch (lease_journal_failure const& failure)
    {
        co_return note_trouble("journal", {refusal_kind::state_conflict, failure.what()});
    }
    co_return writer_ != nullptr;
}

/// A file in which everything is settled and returned goes on as ours; the others are adopted.
void reserve_keeper::open_files(reserve_home const& home)
{
    std::unique_ptr<lease_journal> own;
    for (auto const& path : home.files)
    {
        auto file = lease_journal::open(path);
        if (!file)
            continue;  // another instance of this host has it
        auto const& said = file->content();
        if (!own && said.original && said.damage.empty() && said.leases.empty() &&
            said.unsettled.empty())
            own = std::move(file);
        else
            adopted_.push_back(std::make_shared<adopted_journal>(std::move(file)));
    }
    lease_journal::remove_old(settings_.folder);
    if (!own)
        own = lease_journal::create(settings_.folder, home.database, make_lease_id());
    auto const& said = own->content();
    who_ = {said.instance, said.incarnation};
    claim_ = said.claim;
    core_.take_over({}, said.next_sequence);
    core_.note_journal({});
    writer_ = std::make_shared<journal_writer>(std::move(own), desk_.flushed_callback());
    desk_.use(writer_);
    introduced_ = false;
    log_event(log_level::info, "reserve_journal", {{"file", writer_->file().string()}});
}

asio::awaitable<bool> reserve_keeper::introduce_us()
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
    // Somebody goes on with our name, or the database was put back: what we have is settled from
    // the file like that of a stranger, and we begin anew.
    log_event(
        log_level::error,
        "reserve_is_a_copy",
        {{"file", writer_->file().string()}, {"instance", to_text(who_.instance)}}
    );
    desk_.use(nullptr);
    if (core_.unsettled().empty() && core_.grants().empty() && takings_.empty())
        writer_->retire();
    core_.forget_leases();
    takings_.clear();
    writer_.reset();
    co_return false;
}

/// Renews what there is, and learns what the database says now.
asio::awaitable<bool> reserve_keeper::contact()
{
    auto const sent = reserve_now();
    auto work = [who = who_, time = settings_.lease_time](pqxx::connection& connection) {
        return make_contact(connection, who, time);
    };
    auto found = co_await run(std::move(work));
    if (found.has_error())
    {
        if (found.error().kind == refusal_kind::state_conflict)
            introduced_ = false;  // somebody goes on with our name: the next pass finds out
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
    tokens_.replace(std::move(found->tokens.tokens));
    std::set<std::int32_t> practising;
    for (auto const& each : found->wanted)
        if (each.drill)
            practising.insert(each.series_id);
    desk_.practise(std::move(practising));
    wanted_ = std::move(found->wanted);
    co_return true;
}

/// Tells the database what was drawn. True: it knows everything.
asio::awaitable<bool> reserve_keeper::settle()
{
    while (!core_.unsettled().empty() && !stopped_)
    {
        auto const& all = core_.unsettled();
        settling next{.lease = all.front().lease, .series_id = core_.series_of(all.front().lease)};
        for (auto const& each : all)
        {
            if (each.lease != next.lease || next.records.size() >= settle_records_max)
                break;
            next.records.push_back(each.left);
            next.sequence = each.sequence;
        }
        auto const sequence = next.sequence;
        auto& sums = desk_.outages()[next.series_id];
        for (auto const& record : next.records)
            sums.issued += record.count;
        auto work = [next, who = who_, marks = marks_, writer = writer_](
                        pqxx::connection& connection
                    ) { return settle_answers(connection, who, next, marks, writer.get()); };
        auto const settled = co_await run(std::move(work));
        if (settled.has_error())
        {
            for (auto const& record : next.records)
                sums.issued -= record.count;
            co_return note_trouble("settle", settled.error());
        }
        sums.answered_twice +=
            std::ranges::count(*settled, settle_outcome::twice, &settled_record::outcome);
        core_.settled(sequence);
    }
    if (queue_.answers())
        core_.clear_doubts();
    co_return true;
}

/// What earlier processes left behind. What has to wait stops nobody.
asio::awaitable<bool> reserve_keeper::adopt()
{
    for (auto next = adopted_.begin(); next != adopted_.end() && !stopped_;)
    {
        auto const adopted = *next;
        auto work = [adopted, marks = marks_](pqxx::connection& connection) {
            return adopted->go_on(connection, marks);
        };
        auto const done = co_await run(std::move(work));
        if (done.has_error())
        {
            note_trouble("adopt", done.error());
            co_return done.error().kind != refusal_kind::database_unavailable &&
                done.error().kind != refusal_kind::outcome_unknown;
        }
        if (done->settled > 0 || done->returned > 0 || done->done)
            log_event(
                log_level::info,
                "reserve_adopted",
                {{"file", adopted->file()},
                 {"settled", done->settled},
                 {"returned", done->returned},
                 {"done", done->done},
                 {"waits", done->waits}}
            );
        next = done->done ? adopted_.erase(next) : next + 1;
    }
    co_return true;
}

/// Gives back what is not wanted any more or was drawn on, takes what is.
asio::awaitable<bool> reserve_keeper::see_to(wanted_reserve wanted)
{
    if (wanted.status == lease_status::lost)
        co_return true;
    auto const* const ours = core_.lease_of(wanted.series_id);
    auto const known = ours != nullptr && wanted.lease == ours->lease;
    auto const size = std::min(wanted.reserve_numbers.value_or(0), wanted.available);
    if (wanted.lease && !takings_.contains(wanted.series_id))
    {
        auto const over = !wanted.reserve_numbers || wanted.status == lease_status::recalled;
        auto const better = wanted.reserve_numbers && wanted.rest != *wanted.reserve_numbers &&
                            (size > wanted.rest || wanted.rest > *wanted.reserve_numbers);
        if (known && !over && (!better || wanted.drill))
            co_return true;
        // One that is not known here: an earlier try to give it back was not answered.
        auto const lease = *wanted.lease;
        core_.close(lease);
        if (!co_await give_back(wanted.series_id, lease))
            co_return false;
        wanted.lease.reset();
        if (over && wanted.reserve_numbers)
            co_return true;  // recalled: the next one is taken in the next pass
    }
    if (!wanted.reserve_numbers || wanted.paused || wanted.fenced || wanted.low ||
        (size == 0 && !takings_.contains(wanted.series_id)) || !core_.journal_trouble().empty())
        co_return true;
    co_return co_await take(std::move(wanted));
}

asio::awaitable<bool> reserve_keeper::take(wanted_reserve wanted)
{
    // Its numbers have to be written without a database.
    auto const entry = co_await series_.find(wanted.series);
    if (entry.has_error())
        co_return note_trouble("take", entry.error());
    auto const [kept, fresh] = takings_.try_emplace(
        wanted.series_id,
        taking{
            .lease = make_lease_id(),
            .series_id = wanted.series_id,
            .count = std::min(*wanted.reserve_numbers, wanted.available),
            .lease_time = settings_.lease_time}
    );
    auto const sent = reserve_now();
    auto work = [asked = kept->second, who = who_, marks = marks_, writer = writer_](
                    pqxx::connection& connection
                ) { return take_numbers(connection, who, asked, marks, *writer); };
    auto const taken = co_await run(std::move(work));
    auto const unsure = taken.has_error() &&
                        (taken.error().kind == refusal_kind::outcome_unknown ||
                         taken.error().kind == refusal_kind::database_unavailable ||
                         taken.error().kind == refusal_kind::state_conflict);
    if (!unsure)
        takings_.erase(wanted.series_id);
    if (taken.has_error())
        co_return note_trouble("take", taken.error());
    if (!*taken)
        co_return true;
    core_.keep((*taken)->grant, sent, (*taken)->draw_for);
    log_event(
        log_level::info,
        "reserve_taken",
        {{"series", wanted.series}, {"numbers", (*taken)->grant.count}}
    );
    co_return true;
}

asio::awaitable<bool> reserve_keeper::give_back(std::int32_t series_id, lease_id lease)
{
    // Drawn a moment ago, when the database did not answer: settled first, in the next pass.
    if (std::ranges::find(core_.unsettled(), lease, &unsettled_answer::lease) !=
        core_.unsettled().end())
        co_return false;
    auto work = [lease, who = who_, writer = writer_](pqxx::connection& connection) {
        return give_back_lease(connection, who, lease, *writer);
    };
    auto const returned = co_await run(std::move(work));
    if (returned.has_error())
        co_return note_trouble("give back", returned.error());
    returned_[series_id] += *returned;
    co_return true;
}

/// One notice for each series after an outage.
asio::awaitable<void> reserve_keeper::tell_outages()
{
    auto const told = std::exchange(desk_.outages(), {});
    auto const returned = std::exchange(returned_, {});
    for (auto const& [series_id, sums] : told)
    {
        if (sums.issued == 0)
            continue;
        auto const revoked = std::ranges::count_if(sums.owners, [&](auto owner) {
            return !tokens_.knows_owner(owner);
        });
        auto const back = returned.find(series_id);
        auto const data = fmt::format(
            R"({{"instance":"{}","issued":"{}","returned":"{}","answered_twice":{},)"
            R"("tokens_revoked":{},"in_doubt":{}}})",
            to_text(who_.instance),
            sums.issued,
            back == returned.end() ? 0 : back->second,
            sums.answered_twice,
            revoked,
            sums.in_doubt
        );
        auto const name = series_.name_of(series_id);
        auto work = [who = who_, name, data](pqxx::connection& connection) {
            return run_serializable(connection, {}, [&](auto& transaction) {
                note_settled(transaction, who.instance, name, data);
                return true;
            });
        };
        auto const noted = co_await run(std::move(work));
        if (noted.has_error())
            note_trouble("notice", noted.error());
        log_event(log_level::info, "reserve_settled", {{"series", name}, {"sums", data}});
    }
}

}  // namespace gapless
