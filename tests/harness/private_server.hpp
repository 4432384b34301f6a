#pragma once

#include "harness/private_cluster.hpp"
#include "harness/service_bench.hpp"
#include "store/query.hpp"

#include <memory>

namespace gapless::test {

/// A PostgreSQL of the test's own, to be hurt, and a bench on it: the series `s` has the numbers
/// 100 to 199, and `shop` may do everything.
struct private_server
{
    private_cluster cluster;
    std::unique_ptr<service_bench> bench;
    credential shop;

    private_server()
    {
        cluster.create_database("gapless");
        bench = std::make_unique<service_bench>(cluster.url("gapless"));
        bench->create_series("s", {{100, 199}});
        shop = bench->create_token("shop");
    }

    std::string run(std::string const& sql) const { return bench->run(sql); }

    /// A setting of the whole server; sessions that are there hear of it, too. `value` is SQL.
    void set(std::string const& name, std::string const& value) const
    {
        pqxx::connection connection{cluster.url("gapless")};
        pqxx::nontransaction plain{connection};
        execute(plain, "set default_transaction_read_only = off");
        execute(plain, "alter system set " + name + " = " + value);
        execute(plain, "select pg_reload_conf()");
    }
};

}  // namespace gapless::test
