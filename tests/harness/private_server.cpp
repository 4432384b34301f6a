#include "harness/private_server.hpp"

#include "postgres/query.hpp"

namespace gapless::test {

private_server::private_server()
{
    cluster.create_database("gapless");
    bench = std::make_unique<service_bench>(cluster.url("gapless"));
    bench->create_series("s", {{100, 199}});
    shop = bench->create_token("shop");
}

void private_server::set(std::string const& name, std::string const& value) const
{
    pqxx::connection connection{cluster.url("gapless")};
    pqxx::nontransaction plain{connection};
    execute(plain, "set default_transaction_read_only = off");
    execute(plain, "alter system set " + name + " = " + value);
    execute(plain, "select pg_reload_conf()");
}

}  // namespace gapless::test
