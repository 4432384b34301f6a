#pragma once

#include "base/contract.hpp"
#include "reserve/lease.hpp"

#include <pqxx/result>

#include <string>

namespace gapless {

/// A uuid column of a lease, an instance or a claim.
inline lease_id to_lease_id(pqxx::field const& field)
{
    auto const id = read_lease_id(field.as<std::string>());
    ensure(id.has_value(), "the database writes a UUID as we read it");
    return *id;
}

/// The column as a status.
inline lease_status to_status(pqxx::field const& field)
{
    auto const status = read_lease_status(field.as<std::string>());
    ensure(status.has_value(), "the status of a lease has a name");
    return *status;
}

}  // namespace gapless
