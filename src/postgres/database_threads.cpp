#include "postgres/database_threads.hpp"

#include "base/log.hpp"
#include "postgres/query.hpp"

#include <algorithm>
#include <utility>

namespace gapless {

namespace {

/// How often deadlines are checked while there is work.
constexpr std::chrono::milliseconds watch_period{50};

/// Abandoned work may wait that long for a lock (lock_timeout); no longer at shutdown.
constexpr std::chrono::milliseconds left_behind_max{2'500};

}  // namespace

database_threads::database_threads(
    boost::asio::io_context& io,
    std::string url,
    connection_check check,
    thread_limits const& limits
)
    : io_{io},
      url_{std::move(url)},
      check_{std::move(check)},
      limits_{limits},
      watch_{io},
      pool_{limits.threads}
{
}

database_threads::~database_threads()
{
    {
        std::unique_lock lock{mutex_};
        all_done_.wait_for(lock, left_behind_max, [this] { return sent_off_.empty(); });
        for (auto const& each : sent_off_)
            each->cut_off();
    }
    pool_.join();
}

void database_threads::stop()
{
    if (std::exchange(stopped_, true))
        return;
    for (auto const& each : std::exchange(waiting_, {}))
        give_up_later(each, refusal{refusal_kind::database_unavailable, "the service stops"});
    for (auto const& each : running_)
        if (!each->told)
            give_up_later(each, cut_off(*each, "the service stops"));
}

std::optional<refusal> database_threads::find_obstacle() const
{
    if (stopped_)
        return refusal{refusal_kind::database_unavailable, "the service stops"};
    if (waiting_.size() + running_.size() >= limits_.waiting_max)
        return refusal{
            refusal_kind::overloaded, "too many requests wait for the database; try again later"};
    return std::nullopt;
}

void database_threads::take_up(std::shared_ptr<doable> work)
{
    work->latest = database_work::clock::now() + limits_.wait_max;
    waiting_.push_back(std::move(work));
    deal_out();
    watch_later();
}

/// Gives threads to the waiting work that may run, in order of arrival.
void database_threads::deal_out()
{
    for (auto each = waiting_.begin(); each != waiting_.end() && running_.size() < limits_.threads;)
    {
        if (!may_run((*each)->order))
        {
            ++each;
            continue;
        }
        auto const next = each++;
        auto const work = *next;
        running_.splice(running_.end(), waiting_, next);
        work->latest = database_work::clock::now() + time_max(work->order.kind);
        send_off(work);
    }
}

/// Work that may wait for locks leaves one thread to the reads, and runs once at a time per series.
/// Loads take turns: a few of minutes each must not keep short writes waiting.
bool database_threads::may_run(work_order const& order) const
{
    if (order.kind == work_kind::read)
        return true;
    auto const in_its_way = [&](auto const& each) {
        return (order.series_id != 0 && each->order.series_id == order.series_id) ||
               (order.kind == work_kind::load && each->order.kind == work_kind::load);
    };
    auto const slow = std::ranges::count_if(running_, [](auto const& each) {
        return each->order.kind != work_kind::read;
    });
    return static_cast<std::size_t>(slow) < std::max<std::size_t>(1, limits_.threads - 1) &&
           std::ranges::none_of(running_, in_its_way);
}

void database_threads::send_off(std::shared_ptr<doable> work)
{
    {
        std::lock_guard const lock{mutex_};
        sent_off_.push_back(work);
    }
    boost::asio::post(pool_, [this, work = std::move(work)] {
        work->work();
        boost::asio::post(io_, [this, work] { on_done(work.get()); });
        std::lock_guard const lock{mutex_};
        std::erase(sent_off_, work);
        all_done_.notify_all();
    });
}

void database_threads::on_done(doable const* done)
{
    auto const found =
        std::ranges::find_if(running_, [done](auto const& each) { return each.get() == done; });
    if (found == running_.end())
        return;  // abandoned
    auto const work = *found;
    running_.erase(found);
    deal_out();
    if (!std::exchange(work->told, true))
        work->tell();
}

/// Posted, because the caller may be in the middle of anything.
void database_threads::give_up_later(std::shared_ptr<doable> const& work, refusal why)
{
    work->told = true;
    boost::asio::post(io_, [work, why = std::move(why)] { work->give_up(why); });
}

bool database_threads::is_open(lent const& used) noexcept
{
    return used.connection->is_open();
}

refusal database_threads::cut_off_refusal()
{
    return unavailable(
        trouble_kind::disconnected, "the database did not answer in time; try again later"
    );
}

/// Ends what a thread waits for. The caller's answer says whether something may have happened.
refusal database_threads::cut_off(doable& work, std::string const& why)
{
    auto const begun = work.cut_off();
    if (begun && (work.order.kind == work_kind::write || work.order.kind == work_kind::load))
        return {refusal_kind::outcome_unknown, why + "; repeat with the same key"};
    return unavailable(trouble_kind::disconnected, why + "; try again later");
}

void database_threads::watch_later()
{
    if (watching_ || (waiting_.empty() && running_.empty()))
        return;
    watching_ = true;
    watch_.expires_after(watch_period);
    watch_.async_wait([this](boost::system::error_code error) {
        if (error)
            return;
        watching_ = false;
        look_at_deadlines();
        watch_later();
    });
}

void database_threads::look_at_deadlines()
{
    auto const now = database_work::clock::now();
    std::erase_if(waiting_, [&](auto const& each) {
        if (now <= each->latest)
            return false;
        give_up_later(
            each,
            {refusal_kind::overloaded,
             "the request waited too long for the database; try again later"}
        );
        return true;
    });
    bool any_late = false;
    for (auto const& each : running_)
        if (!each->told && now > each->latest)
        {
            any_late = true;
            give_up_later(each, cut_off(*each, "the database did not answer in time"));
        }
    // If one connection is silent, the others most likely are, too.
    if (any_late)
        forget_connections();
}

std::chrono::milliseconds database_threads::time_max(work_kind kind) const noexcept
{
    switch (kind)
    {
    case work_kind::read: return limits_.read_time_max;
    case work_kind::write: return limits_.write_time_max;
    case work_kind::proof: return limits_.proof_time_max;
    case work_kind::comparison: return limits_.comparison_time_max;
    case work_kind::load: return limits_.load_time_max;
    }
    return limits_.read_time_max;
}

database_threads::lent database_threads::open(database_work& work) const
{
    lent opened;
    auto const watched = [&](pqxx::connection& connection) {
        opened.line = std::make_shared<connection_switch>(connection);
        if (!work.use(opened.line))
            throw database_unreachable{cut_off_refusal().detail};
    };
    opened.connection = open_connection(url_, connection_purpose::service, watched);
    if (check_)
        if (auto const why = check_(*opened.connection); !why.empty())
            throw database_unreachable{why};
    return opened;
}

database_threads::lent database_threads::take_connection(database_work& work)
{
    std::uint64_t generation{};
    {
        std::lock_guard const lock{mutex_};
        generation = generation_;
        if (!idle_.empty())
        {
            auto used = std::move(idle_.back());
            idle_.pop_back();
            work.use(used.line);
            return used;
        }
    }
    auto opened = open(work);
    opened.generation = generation;
    std::lock_guard const lock{mutex_};
    unreachable_.clear();
    return opened;
}

/// The text for callers; the log gets the rest, once per reason.
refusal database_threads::tell(database_unreachable const& error)
{
    if (error.told.empty())
        return unavailable(error.trouble, error.what());
    std::lock_guard const lock{mutex_};
    if (unreachable_ != error.what())
        log_event(log_level::warning, "database_unreachable", {{"why", error.what()}});
    unreachable_ = error.what();
    return unavailable(error.trouble, error.told);
}

database_threads::lent database_threads::renew_connection(database_work& work)
{
    // If one connection broke, the others have most likely broken, too.
    forget_connections();
    return take_connection(work);
}

void database_threads::give_back(database_work& work, lent used)
{
    std::lock_guard const lock{mutex_};
    if (used.generation == generation_ && !work.is_cut_off())
        idle_.push_back(std::move(used));
}

void database_threads::forget_connections()
{
    std::vector<lent> forgotten;
    {
        std::lock_guard const lock{mutex_};
        ++generation_;
        forgotten = std::exchange(idle_, {});
    }
    // Closing a connection may block.
    if (!forgotten.empty())
        boost::asio::post(pool_, [forgotten = std::move(forgotten)]() mutable {
            forgotten.clear();
        });
}

}  // namespace gapless
