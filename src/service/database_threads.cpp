#include "service/database_threads.hpp"

#include "store/environment.hpp"

#include <utility>

namespace gapless {

database_threads::database_threads(
    boost::asio::io_context& io,
    std::string url,
    std::string environment,
    thread_limits const& limits
)
    : io_{io},
      url_{std::move(url)},
      environment_{std::move(environment)},
      limits_{limits},
      pool_{limits.threads}
{
}

database_threads::~database_threads()
{
    stop();
}

void database_threads::stop()
{
    pool_.join();
}

bool database_threads::admit() noexcept
{
    if (waiting_.fetch_add(1) < limits_.waiting_max)
        return true;
    waiting_.fetch_sub(1);
    return false;
}

void database_threads::leave() noexcept
{
    waiting_.fetch_sub(1);
}

std::unique_ptr<pqxx::connection> database_threads::open() const
{
    auto connection = open_connection(url_, connection_purpose::service);
    if (!environment_.empty())
        if (auto const why = environment_obstacle(environment_, read_environment(*connection));
            !why.empty())
            throw database_unreachable{why};
    return connection;
}

database_threads::lent database_threads::take_connection()
{
    std::uint64_t generation{};
    {
        std::lock_guard const lock{mutex_};
        generation = generation_;
        if (!idle_.empty())
        {
            auto connection = std::move(idle_.back());
            idle_.pop_back();
            return {std::move(connection), generation};
        }
    }
    return {open(), generation};
}

database_threads::lent database_threads::renew_connection()
{
    // Where one broke, the others have most likely broken, too.
    forget_connections();
    return take_connection();
}

void database_threads::give_back(lent used)
{
    std::lock_guard const lock{mutex_};
    if (used.generation == generation_)
        idle_.push_back(std::move(used.connection));
}

void database_threads::forget_connections()
{
    std::vector<std::unique_ptr<pqxx::connection>> forgotten;
    {
        std::lock_guard const lock{mutex_};
        ++generation_;
        forgotten = std::exchange(idle_, {});
    }
    // Saying goodbye may wait.
    if (!forgotten.empty())
        boost::asio::post(pool_, [forgotten = std::move(forgotten)]() mutable {
            forgotten.clear();
        });
}

}  // namespace gapless
