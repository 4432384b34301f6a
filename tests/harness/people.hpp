#pragma once

#include "harness/issuing.hpp"
#include "postgres/query.hpp"

#include <map>
#include <unistd.h>

namespace gapless::test {

/// Four people who can log in, each in one of the roles; roles belong to the server, so their names
/// are this process's own.
struct people : issuing
{
    static constexpr char const* roles[] = {
        "gapless_service", "gapless_app", "gapless_admin", "gapless_audit"};

    people()
    {
        create_series("s", {{100, 109}, {200, 209}, {300, 309}});
        issue("s", {"a", 2});
        for (std::string const role : roles)
            run("create role " + login(role) + " login password 'test' in role " + role);
    }

    ~people()
    {
        for (std::string const role : roles)
            run("drop owned by " + login(role) + "; drop role " + login(role));
    }

    static std::string login(std::string const& role)
    {
        return "test_" + std::to_string(getpid()) + "_" + role;
    }

    /// SQL that names a token for the rest of the transaction, with the hash of that secret.
    static std::string shown(std::string const& token_id, std::string const& secret)
    {
        return "select set_config('gapless.token_id', '" + token_id +
               "', true), set_config('gapless.token_hash', encode(sha256('" + secret +
               "'), 'hex'), true); ";
    }

    /// What a statement comes to for somebody in that role, in the one session that he has here;
    /// "denied" for a lack of privileges.
    std::string as(std::string const& role, std::string const& sql)
    {
        auto const own = sessions_.try_emplace(role, url_as(login(role), "test")).first;
        auto const outcome = test::run(own->second, sql);
        return outcome.starts_with("42501") ? "denied" : outcome;
    }

private:
    std::map<std::string, pqxx::connection> sessions_;
};

}  // namespace gapless::test
