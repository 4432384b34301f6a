#include "issuing/journal.hpp"

#include "base/contract.hpp"
#include "issuing/journal_file.hpp"

#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <cstring>
#include <fcntl.h>
#include <map>
#include <openssl/rand.h>
#include <unistd.h>
#include <utility>

namespace gapless {

namespace {

namespace fs = std::filesystem;

constexpr int instances_max = 1'000;  // sharing one folder

/// Makes file names survive a power failure, too.
void sync_folder(fs::path const& folder) noexcept
{
    auto const handle = ::open(folder.c_str(), O_RDONLY | O_CLOEXEC);
    if (handle < 0)
        return;
    ::fsync(handle);
    ::close(handle);
}

/// Non-empty files whose names begin like this, except lease journals.
std::vector<fs::path> files_about(fs::path const& folder, std::string const& beginning)
{
    std::vector<fs::path> found;
    try
    {
        for (auto const& entry : fs::directory_iterator{folder})
        {
            auto const name = entry.path().filename().string();
            auto const of_leases = name.find(".lease") != std::string::npos;
            if (name.starts_with(beginning) && !of_leases && entry.file_size() > 0)
                found.push_back(entry.path());
        }
    }
    catch (fs::filesystem_error const& error)
    {
        throw journal_failure{
            "journal " + folder.string() + " cannot be read: " + error.code().message()};
    }
    return found;
}

std::string name_of(database_life const& life)
{
    return life.database_id + '-' + life.database_oid;
}

/// Why a database behind these marks may not issue; empty when it is behind none.
std::string forgotten(
    std::vector<series_mark> const& present, std::vector<series_mark> const& noted
)
{
    for (auto const& mark : noted)
    {
        auto const found = std::ranges::find(present, mark.series_id, &series_mark::series_id);
        auto const here = found == present.end() ? series_mark{} : *found;
        if (here.ordinal < mark.ordinal || here.turn < mark.turn)
            return "the database lacks issued numbers: series " + std::to_string(mark.series_id) +
                   " is at ordinal " + std::to_string(here.ordinal) + " in turn " +
                   std::to_string(here.turn) + ", but ordinal " + std::to_string(mark.ordinal) +
                   " in turn " + std::to_string(mark.turn) + " was answered";
    }
    return {};
}

constexpr std::chrono::milliseconds sync_interval{100};

}  // namespace

journal::journal(fs::path folder) : folder_{std::move(folder)}
{
    std::error_code error;
    fs::create_directories(folder_, error);
    if (error)
        throw journal_failure{
            "journal " + folder_.string() + ": " + error.message() +
            "; choose another folder with --journal"};
    syncing_ = std::jthread{[this](std::stop_token const& stop) { sync_now_and_then(stop); }};
}

journal::~journal()
{
    syncing_.request_stop();
    syncing_.join();
    if (own_)
        ::fdatasync(own_->handle);
}

void journal::open_own(std::string const& name)
{
    for (int n = 1; n <= instances_max; ++n)
    {
        auto opened =
            std::make_shared<file>(folder_ / (name + '.' + std::to_string(n)), /*writable=*/true);
        if (!opened->lock())
            continue;
        opened->load();
        sync_folder(folder_);
        own_ = std::move(opened);
        name_ = name;
        return;
    }
    throw journal_failure{
        "journal " + folder_.string() + ": " + std::to_string(instances_max) +
        " instances use it already"};
}

bool journal::is_kept_in(fs::path const& folder, database_life const& life)
{
    return !files_about(folder, name_of(life) + '.').empty() ||
           !files_about(folder, life.database_id + '-').empty();
}

std::vector<series_mark> journal::highest_in(
    std::vector<std::filesystem::path> const& files, int voided_epoch
)
{
    std::vector<series_mark> highest;
    for (auto const& path : files)
    {
        file one{path, /*writable=*/false};
        one.load();
        for (auto const& mark : one.marks())
        {
            auto known = std::ranges::find(highest, mark.series_id, &series_mark::series_id);
            if (known == highest.end())
                known = highest.insert(highest.end(), {mark.series_id, 0, 0});
            auto now = mark;
            // An operator's epoch voids what could be reissued; one after a failover does not.
            if (one.about_database().epoch < voided_epoch)
                now.turn = 0;
            known->raise(now);
        }
    }
    return highest;
}

std::vector<series_mark> journal::read(
    fs::path const& folder,
    database_life const& life,
    marks_reader const& read_marks,
    std::vector<series_mark>& present
)
{
    auto const own = files_about(folder, name_of(life) + '.');
    auto noted = highest_in(
        own.empty() ? files_about(folder, life.database_id + '-') : own, life.voided_epoch
    );
    present = read_marks();
    auto const has_issued =
        std::ranges::any_of(present, [](series_mark const& mark) { return mark.ordinal > 0; });
    // A copy of a template is as good as new; one that is fenced was restored.
    if (own.empty() && !has_issued && life.trouble.empty())
        noted.clear();
    return noted;
}

std::vector<journal_content> journal::read_each(
    fs::path const& folder, std::string const& database_id, std::string const& database_oid
)
{
    std::string const prefix = database_id + '-' + database_oid + '.';
    std::vector<journal_content> all;
    for (auto const& path : files_about(folder, prefix))
    {
        file one{path, /*writable=*/false};
        one.load();
        all.push_back({path.string(), one.id(), one.about_database().epoch, one.marks()});
    }
    std::ranges::sort(all, {}, &journal_content::file);
    return all;
}

admission journal::judge(life_reader const& read_life, marks_reader const& read_marks)
{
    std::lock_guard const one_at_a_time{judging_};
    // Not read earlier: the other connection may open the next epoch while this one waits, and an
    // older reading would look like a database that was put back.
    auto const life = read_life();
    {
        std::lock_guard const lock{mutex_};
        if (!broken_.empty())
            mend();
        if (!own_ || name_ != name_of(life))
            open_own(name_of(life));
        if (auto const about = own_->about_database(); about.epoch > life.epoch)
            return {
                .trouble = "this instance has answered in epoch " + std::to_string(about.epoch) +
                           ", the database is back in epoch " + std::to_string(life.epoch),
                .raise = life.trouble.empty() || life.movable,
                .alone_since = series_mark::moment{std::chrono::microseconds{about.ordinal}}};
    }
    // The files first: what another connection notes meanwhile is already in the database.
    std::vector<series_mark> present;
    auto const marks = read(folder_, life, read_marks, present);
    std::lock_guard const lock{mutex_};
    return judge_by(life, marks, present);
}

admission journal::judge_by(
    database_life const& life,
    std::vector<series_mark> const& marks,
    std::vector<series_mark> const& present
)
{
    auto now = own_->about_database();
    if (auto trouble = forgotten(present, marks); !trouble.empty())
        return {.trouble = std::move(trouble), .raise = life.trouble.empty() || life.movable};
    // If nothing is known of this database, nothing proves that it is complete.
    if (!life.trouble.empty() && (!life.movable || marks.empty()))
        return {.trouble = life.trouble};
    if (now.epoch != life.epoch || now.system_identifier != life.system_identifier ||
        own_->id().empty())
    {
        // What other copies of the database were asked for once: now there is a file of its own.
        if (files_about(folder_, name_ + '.').empty())
            for (auto const& mark : marks)
            {
                record kept{.ordinal = mark.ordinal};
                kept.set_next_serial(mark.next_serial);
                keep(mark.series_id, kept);
            }
        if (own_->id().empty() && RAND_bytes(now.id.data(), static_cast<int>(now.id.size())) != 1)
            throw journal_failure{"journal " + own_->name.string() + ": there is no randomness"};
        if (now.epoch < life.voided_epoch)
            forget_voided_turns();
        now.epoch = life.epoch;
        now.ordinal = life.opened_at.time_since_epoch().count();
        now.system_identifier = life.system_identifier;
        keep(0, now);
    }
    return {
        .follow = life.movable,
        .proof = "no series is behind the " + std::to_string(marks.size()) +
                 " that the journals in " + folder_.string() + " know",
        .journal = own_->id()};
}

/// For a later epoch in which the turns noted so far no longer count. Not raised to the database's:
/// those after ours are of others, and later than the moment kept, so that gapless.epoch_void_again
/// would take them for issued twice.
void journal::forget_voided_turns()
{
    for (auto const& [series_id, known] : std::map{own_->slots})
    {
        auto kept = known.latest;
        if (series_id == 0 || std::exchange(kept.turn, 0) == 0)
            continue;
        keep(series_id, kept);
    }
}

/// A moment after which nothing was issued of what is kept and of the mark; 0: unknown. An earlier
/// one would have numbers voided that were issued well (gapless.epoch_void_again).
std::int64_t journal::moment_beyond(record const& kept, series_mark const& mark)
{
    auto const was_empty = kept.ordinal == 0 && kept.turn == 0;
    auto latest = kept.issued_at;
    auto known = was_empty || kept.issued_at != 0;
    auto const take = [&](bool raised, series_mark::moment at) {
        if (!raised)
            return;
        known = known && at != series_mark::moment{};
        latest = std::max(latest, at.time_since_epoch().count());
    };
    take(mark.ordinal > kept.ordinal, mark.ordinal_at);
    take(mark.turn > kept.turn, mark.turn_at);
    return known || mark.is_new ? latest : 0;
}

void journal::note(series_mark const& mark)
{
    std::lock_guard const lock{mutex_};
    if (!broken_.empty())
        throw journal_failure{broken_};
    ensure(own_ != nullptr, "a database is judged before its numbers are noted");
    auto const known = own_->slots.find(mark.series_id);
    auto kept = known == own_->slots.end() ? record{} : known->second.latest;
    if (mark.ordinal <= kept.ordinal && mark.turn <= kept.turn)
        return;
    kept.issued_at = moment_beyond(kept, mark);
    if (mark.ordinal > kept.ordinal)
        kept.set_next_serial(mark.next_serial);
    kept.ordinal = std::max(kept.ordinal, mark.ordinal);
    kept.turn = std::max(kept.turn, mark.turn);
    keep(mark.series_id, kept);
}

series_mark journal::noted(std::int32_t series_id, std::int32_t epoch)
{
    series_mark mark{.series_id = series_id};
    std::lock_guard const lock{mutex_};
    if (!own_)
        return mark;
    if (auto const known = own_->slots.find(series_id); known != own_->slots.end())
    {
        mark.ordinal = known->second.latest.ordinal;
        if (own_->about_database().epoch == epoch)
            mark.turn = known->second.latest.turn;
    }
    return mark;
}

void journal::keep(std::int32_t series_id, record const& kept)
{
    try
    {
        own_->keep(series_id, kept);
    }
    catch (journal_failure const& failure)
    {
        broken_ = failure.what();
        unwritten_.emplace_back(series_id, kept);
        throw;
    }
    dirty_ = true;
}

/// Writes everything again: after a failed fdatasync nobody knows what is on disk, and the kernel
/// considers its pages clean.
void journal::mend()
{
    for (auto const& [series_id, known] : std::map{own_->slots})
        own_->keep(series_id, known.latest);
    for (auto const& [series_id, kept] : unwritten_)
        own_->keep(series_id, kept);
    if (::fdatasync(own_->handle) != 0)
        own_->fail(std::strerror(errno));
    unwritten_.clear();
    broken_.clear();
}

// How notes get to the disk: regularly by a thread of its own, or at once when a caller has to wait
// for it.

void journal::flush()
{
    // Keep it alive: another database's file may replace it meanwhile.
    std::shared_ptr<file> written;
    {
        std::lock_guard const lock{mutex_};
        if (!broken_.empty())
            throw journal_failure{broken_};
        dirty_ = false;
        written = own_;
    }
    if (written)
        flush_to_disk(*written);
}

/// After a failure, nothing is noted until mend().
void journal::flush_to_disk(file const& written)
{
    if (::fdatasync(written.handle) == 0)
        return;
    auto const why = std::string{std::strerror(errno)};
    std::lock_guard const lock{mutex_};
    broken_ = "journal " + folder_.string() + ": the disk did not take it: " + why;
    throw journal_failure{broken_};
}

void journal::sync_now_and_then(std::stop_token const& stop)
{
    std::condition_variable_any bell;
    std::mutex resting;
    std::unique_lock rest{resting};
    while (!stop.stop_requested())
    {
        bell.wait_for(rest, stop, sync_interval, [] { return false; });
        std::shared_ptr<file> written;
        {
            std::lock_guard const lock{mutex_};
            if (std::exchange(dirty_, false))
                written = own_;
        }
        try
        {
            if (written)
                flush_to_disk(*written);
        }
        catch (journal_failure const&)
        {
            // The next caller of note() is told.
        }
    }
}

}  // namespace gapless
