#pragma once

#include "record/pqxx_fwd.hpp"

#include <memory>
#include <string>
#include <vector>

namespace gapless::test {

/// A database and a connection to it as the server's superuser; null if its case has ended it.
struct pooled_database
{
    std::string name;
    std::unique_ptr<pqxx::connection> connection;
};

/// Makes and drops the test databases of a process. One that its case has left is emptied row by
/// row for the next case, which costs a tenth of a new one, and keeps its connection, whose
/// catalogs are read and whose functions are planned.
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

    /// A database that is as migrations leave it; its connection has PostgreSQL's default settings.
    pooled_database take();

    /// Takes back what take() gave, and ends who else is still connected. Drops it when its case
    /// changed more than rows: objects, rights, settings, its name.
    void give_back(pooled_database used);

private:
    pooled_database make(std::string const& name);
    static std::unique_ptr<pqxx::connection> connect(std::string const& name);
    void drop(std::string const& name);
    bool empty(pooled_database& used);

    std::unique_ptr<pqxx::connection> server_;
    std::vector<pooled_database> free_;
    std::string renewal_;   ///< the statement that puts every row of a new database back
    std::string catalogs_;  ///< the catalogs of a new database
};

}  // namespace gapless::test
