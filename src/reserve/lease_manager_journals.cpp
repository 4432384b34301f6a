// The journals of the manager's folder: its own, and those that other processes left behind.

#include "base/log.hpp"
#include "reserve/lease_manager.hpp"

#include <algorithm>
#include <filesystem>
#include <set>
#include <system_error>
#include <utility>

namespace gapless {

namespace asio = boost::asio;
namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t own_bytes_max = std::uint64_t{64} << 20;  // then a new file is begun

/// When a file was last written; the epoch if it is gone.
fs::file_time_type written_at(fs::path const& file)
{
    std::error_code error;
    auto const at = fs::last_write_time(file, error);
    return error ? fs::file_time_type{} : at;
}

/// Nothing of the journal is left to do.
bool is_empty(lease_journal_content const& content)
{
    return content.damage.empty() && content.leases.empty() && content.unsettled.empty();
}

}  // namespace

/// Treats our file like another instance's from now on; the next pass creates a new one. Returns
/// the writer if nothing of the file is left to do; null: it has to be adopted.
std::shared_ptr<journal_writer> lease_manager::hand_over()
{
    router_.use(nullptr);
    reserve_router::earlier_keys keys;
    for (auto const& one : core_.unsettled())
        keys.insert({one.left.owner_id, one.left.key});
    router_.hold_back(std::move(keys));
    auto const unused = core_.unsettled().empty() && core_.grants().empty() && takings_.empty();
    core_.forget_leases();
    takings_.clear();
    claim_.reset();
    introduced_ = false;
    auto left = std::exchange(writer_, nullptr);
    return unused ? left : nullptr;
}

/// Checks whether there is anything to do; opens or creates the journal. True: there is one.
asio::awaitable<bool> lease_manager::begin()
{
    auto work = [folder = settings_.folder](pqxx::connection& connection) {
        return find_reserve_home(connection, folder);
    };
    auto home = co_await run(std::move(work));
    if (home.has_error())
        co_return note_trouble("begin", home.error());
    wanted_ = std::move(home->wanted);
    database_ = home->database;
    if (wanted_.empty() && home->files.empty())
    {
        router_.let_go();
        idle_ = true;
        co_return false;
    }
    auto files = std::move(home->files);
    std::erase_if(files, [this](auto const& file) {
        return std::ranges::find(adopted_, file.string(), &adopted_journal::file) != adopted_.end();
    });
    auto open = [all = unopened_, files](pqxx::connection&) -> result<unopened_journals::look> {
        return all->open(files);
    };
    auto found = co_await run(std::move(open));
    if (found.has_error())
        co_return note_trouble("open", found.error());
    auto const is_own = [](auto const& file) {
        return is_empty(file->content()) && file->content().original && file->content().same_boot &&
               file->size() < own_bytes_max;
    };
    std::unique_ptr<lease_journal> own;
    if (auto const file = std::ranges::find_if(found->opened, is_own); file != found->opened.end())
    {
        own = std::move(*file);
        found->opened.erase(file);
    }
    take_up(*std::move(found));
    try
    {
        lease_journal::remove_old(settings_.folder);
        if (!own)
        {
            // One name, however often the disk refuses it: the reason is logged once.
            if (!next_instance_)
                next_instance_ = make_lease_id();
            own = lease_journal::create(settings_.folder, home->database, *next_instance_);
        }
        next_instance_.reset();
    }
    catch (lease_journal_failure const& failure)
    {
        co_return note_trouble("journal", {refusal_kind::state_conflict, failure.what()});
    }
    write_to(std::move(own));
    co_return true;
}

/// Adopts what could be opened.
void lease_manager::take_up(unopened_journals::look&& found)
{
    for (auto const& each : found.recorded)
        router_.let_go(each);
    for (auto const& each : found.trouble)
        note_trouble("open", {refusal_kind::state_conflict, each});
    unopened_hold_keys_ = found.holds_keys;
    for (auto& file : found.opened)
    {
        router_.hold_back(unsettled_keys(file->content()));
        if (auto const& damage = file->content().damage; !damage.empty())
            log_event(
                log_level::error,
                "reserve_journal_damaged",
                {{"file", file->file().string()}, {"why", damage}}
            );
        adopted_.push_back(std::make_shared<adopted_journal>(std::move(file)));
    }
}

/// Another instance of this folder may have ended, and not come back. What it has left behind in
/// good order stays for it.
asio::awaitable<bool> lease_manager::open_again()
{
    std::set<fs::path> known;  // ours, adopted, or as empty as when it was last looked at
    if (writer_)
        known.insert(writer_->file());
    for (auto const& each : adopted_)
        known.insert(each->file());
    auto work = [all = unopened_,
                 known = std::move(known),
                 empty = empty_,
                 of = database_,
                 folder = settings_.folder](pqxx::connection&) -> result<unopened_journals::look> {
        auto files = of.empty() ? std::vector<fs::path>{} : lease_journal::find(folder, of);
        std::erase_if(files, [&](auto const& file) {
            auto const before = empty.find(file);
            return known.contains(file) ||
                   (before != empty.end() && before->second == written_at(file));
        });
        return all->open_again(files);
    };
    auto found = co_await run(std::move(work));
    if (found.has_error())
        co_return note_trouble("open", found.error());
    std::erase_if(found->opened, [this](auto const& file) {
        auto const nothing_left = is_empty(file->content());
        if (nothing_left)
            empty_[file->file()] = written_at(file->file());
        return nothing_left;
    });
    take_up(*std::move(found));
    co_return true;
}

void lease_manager::write_to(std::unique_ptr<lease_journal> own)
{
    auto const& said = own->content();
    who_ = {said.instance, said.incarnation, said.secret ? *said.secret : make_instance_secret()};
    claim_ = said.claim;
    core_.take_over({}, said.next_sequence);
    core_.note_journal({});
    heard_.clear();
    for (auto const& each : said.heard)
        heard_.emplace(each.instance, each.moment);
    writer_ = std::make_shared<journal_writer>(std::move(own), router_.flushed_callback());
    router_.use(writer_);
    introduced_ = false;
    log_event(log_level::info, "reserve_journal", {{"file", writer_->file().string()}});
}

/// Settles what earlier processes left behind. A file that has to wait blocks no other.
asio::awaitable<bool> lease_manager::adopt()
{
    if (!co_await open_again())
        co_return false;
    for (auto next = adopted_.begin(); next != adopted_.end() && !stopped_;)
    {
        auto const adopted = *next;
        auto work = [adopted, marks = marks_](pqxx::connection& connection) {
            return adopted->go_on(connection, marks);
        };
        auto const done = co_await run(std::move(work));
        for (auto const& each : adopted->take_recorded())
            router_.let_go(each);
        if (done.has_error())
        {
            auto const& why = done.error();
            if (!is_of_one_series(why) && (why.kind == refusal_kind::database_unavailable ||
                                           why.kind == refusal_kind::outcome_unknown))
                co_return note_trouble("adopt", why);
            if (adopted->is_news(why.detail))
                log_event(
                    log_level::warning,
                    "reserve_not_kept",
                    {{"step", "adopt"}, {"file", adopted->file()}, {"why", why.detail}}
                );
            ++next;
            continue;
        }
        for (auto const& [series_id, sums] : done->told)
            add_notice(adopted->who(), series_id, sums);
        if (done->settled > 0 || done->returned > 0 || done->done ||
            (!done->waits.empty() && adopted->is_news(done->waits)))
            log_event(
                done->waits.empty() ? log_level::info : log_level::warning,
                "reserve_adopted",
                {{"file", adopted->file()},
                 {"settled", done->settled},
                 {"returned", done->returned},
                 {"done", done->done},
                 {"waits", done->waits}}
            );
        goes_on_ = goes_on_ || (!done->done && done->settled > 0);
        next = done->done ? adopted_.erase(next) : next + 1;
        if (!co_await stay_in_contact())
            co_return false;
    }
    auto const settled = std::ranges::all_of(adopted_, &adopted_journal::is_settled);
    if (writer_ && settled && !unopened_hold_keys_)
        router_.let_go();
    co_return true;
}

}  // namespace gapless
