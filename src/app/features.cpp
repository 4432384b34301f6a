#include "access/audit_operations.hpp"
#include "access/token_operations.hpp"
#include "blocks/operations.hpp"
#include "blocks/proposal_operations.hpp"
#include "carriers/operations.hpp"
#include "formats/operations.hpp"
#include "holds/operations.hpp"
#include "ledger/day.hpp"
#include "numbers/operations.hpp"
#include "record/operation.hpp"
#include "reserve/lease_operations.hpp"
#include "series/operations.hpp"
#include "webhooks/operations.hpp"

namespace gapless {

std::span<feature const* const> features() noexcept
{
    static constexpr feature const* all[]{
        &audit::administration,
        &blocks::administration,
        &carriers::administration,
        &days::administration,
        &formats::administration,
        &holds::administration,
        &leases::administration,
        &numbers::administration,
        &proposals::administration,
        &series::administration,
        &series::reports,
        &tokens::administration,
        &webhooks::administration};
    return all;
}

}  // namespace gapless
