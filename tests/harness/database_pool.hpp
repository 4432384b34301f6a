#pragma once

#include "record/pqxx_fwd.hpp"

#include <memory>
#include <string>
#include <vector>

namespace gapless::test {

/// Makes and drops the test databases of a process. One that its case has left is emptied row by
/// row for the next case, which costs a tenth of a new one.
///
/// For one thread.
class database_pool
{
public:
    /// `server` is a superuser's libpq URL.
    explicit database_pool(std::string const& server);
    ~database_pool();
    database_pool(database_pool const&) = delete;
    database_pool& operator=(database_pool const&) = delete;

    /// Whether databases can still be made: not after the server was restarted.
    bool is_open() const;

    /// A database that is as migrations leave it.
    std::string take();

    /// Takes back what take() gave, and ends who is still connected. Drops it when its case changed
    /// more than rows: objects, rights, settings, its name.
    void give_back(std::string const& name);

private:
    void make(std::string const& name);
    void drop(std::string const& name);
    bool empty(std::string const& name);

    std::unique_ptr<pqxx::connection> server_;
    std::vector<std::string> free_;
    std::string renewal_;   ///< the statement that puts every row of a new database back
    std::string catalogs_;  ///< the catalogs of a new database
};

}  // namespace gapless::test
