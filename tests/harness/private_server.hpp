#pragma once

#include "harness/private_cluster.hpp"
#include "harness/service_bench.hpp"

#include <memory>

namespace gapless::test {

/// A PostgreSQL of the test's own, to be hurt, and a bench on it: the series `s` has the numbers
/// 100 to 199, and `shop` may do everything.
struct private_server
{
    private_cluster cluster;
    std::unique_ptr<service_bench> bench;
    credential shop;

    private_server();

    std::string run(std::string const& sql) const { return bench->run(sql); }

    /// A setting of the whole server; sessions that are there hear of it, too. `value` is SQL.
    void set(std::string const& name, std::string const& value) const;
};

}  // namespace gapless::test
