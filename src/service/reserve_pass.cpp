#include "base/log.hpp"
#include "service/reserve_run.hpp"

#include <algorithm>
#include <utility>

/// One pass of the keeper: what may have to be done, in the order in which it may be done. A step
/// that fails ends the pass; the next one begins where it has to.
namespace gapless {

namespace asio = boost::asio;

asio::awaitable<void> reserve_keeper::pass()
{
    if (!writer_ && !co_await begin())
        co_return;
    if (!writer_->failure().empty())
    {
        // Memory alone has some of what was drawn: the database learns all of it, without a claim.
        if (co_await settle())
            leave_journal();
        co_return;
    }
    if (!introduced_ && !co_await introduce_us())
        co_return;
    if (!co_await contact())
        co_return;
    auto const drawn = !core_.unsettled().empty();
    if (!co_await settle())
        co_return;
    if (drawn && !co_await contact())  // what is left of the leases now
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

/// Everything is settled, and the journal cannot be written: the file is like that of a stranger
/// from now on, and the next pass begins another one.
void reserve_keeper::leave_journal()
{
    desk_.use(nullptr);
    core_.forget_leases();
    takings_.clear();
    writer_.reset();
    claim_.reset();
    introduced_ = false;
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
    {
        desk_.hold_back({});
        co_return false;
    }
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
        if (!own && said.original && said.same_boot && said.damage.empty() && said.leases.empty() &&
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
    heard_.clear();
    for (auto const& each : said.heard)
        heard_.emplace(each.instance, each.moment);
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
    reserve_desk::earlier_keys keys;
    for (auto const& one : core_.unsettled())
        keys.insert({one.left.owner_id, one.left.key});
    desk_.hold_back(std::move(keys));
    auto const unused = core_.unsettled().empty() && core_.grants().empty() && takings_.empty();
    core_.forget_leases();
    takings_.clear();
    auto const left = std::exchange(writer_, nullptr);
    if (!unused)
        co_return false;
    auto retire = [left](pqxx::connection&) -> result<bool> {
        left->retire();
        return true;
    };
    if (auto const retired = co_await run(std::move(retire)); retired.has_error())
        note_trouble("retire", retired.error());
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
    co_return co_await note_others(found->holders);
}

/// Each instance once a day, so that the file stays short.
asio::awaitable<bool> reserve_keeper::note_others(std::vector<lease_holder> const& holders)
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
            co_return done.error().kind != refusal_kind::database_unavailable&& done.error().kind !=
                refusal_kind::outcome_unknown;
        }
        if (done->settled > 0 || done->returned > 0 || done->done || !done->waits.empty())
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
    if (std::ranges::all_of(adopted_, [](auto const& one) { return one->is_settled(); }))
        desk_.hold_back({});
    co_return true;
}

}  // namespace gapless
