#pragma once

#include "cli/command_context.hpp"
#include "postgres/schema.hpp"
#include "postgres/schema_differences.hpp"

#include <pqxx/except>

#include <fmt/format.h>

namespace gapless::cli {

/// Runs `work`, which talks to the database outside of run_serializable and takes a connection,
/// whatever the schema; returns what it returns. Blocks. Throws command_failed for what it fails
/// with, and where it is interrupted.
template <class Work>
auto run_plainly(command_context& context, Work work)
{
    auto& connection = context.any_connection();
    try
    {
        interrupts::watched const watched{context.signals(), connection};
        return work(connection);
    }
    catch (schema_in_use const& error)
    {
        throw command_failed{exit_code::conflict, error.what()};
    }
    catch (roles_missing const& error)
    {
        throw command_failed{exit_code::not_allowed, error.what()};
    }
    catch (pqxx::insufficient_privilege const& error)
    {
        throw command_failed{
            exit_code::not_allowed,
            fmt::format("{}\n  connect as the owner of the database", error.what())};
    }
    catch (pqxx::broken_connection const&)
    {
        throw command_failed{
            exit_code::unreachable,
            "the connection to the database was lost\n  'gapless migrate status' shows where it "
            "stands"};
    }
    catch (pqxx::failure const&)
    {
        context.signals().stop_if_arrived();
        throw;
    }
}

}  // namespace gapless::cli
