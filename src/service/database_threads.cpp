#include "service/database_threads.hpp"

namespace gapless {

database_threads::database_threads(
    boost::asio::io_context& io, std::string url, thread_limits const& limits
)
    : io_{io},
      url_{std::move(url)},
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

std::unique_ptr<pqxx::connection> database_threads::take_connection()
{
    {
        std::lock_guard const lock{mutex_};
        if (!idle_.empty())
        {
            auto connection = std::move(idle_.back());
            idle_.pop_back();
            return connection;
        }
    }
    return open_connection(url_, connection_purpose::service);
}

std::unique_ptr<pqxx::connection> database_threads::renew_connection()
{
    {
        // Where one broke, the others have most likely broken, too.
        std::lock_guard const lock{mutex_};
        idle_.clear();
    }
    return open_connection(url_, connection_purpose::service);
}

void database_threads::give_back(std::unique_ptr<pqxx::connection> connection)
{
    std::lock_guard const lock{mutex_};
    idle_.push_back(std::move(connection));
}

}  // namespace gapless
