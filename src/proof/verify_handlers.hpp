#pragma once

#include "http/exchange.hpp"
#include "proof/verification.hpp"
#include "record/describe.hpp"
#include "record/types.hpp"

#include <boost/asio/awaitable.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace gapless::bodies {

/// How much was checked.
struct checked_ledger
{
    quoted<std::int64_t> ledger_rows;
    std::string numbers;
    quoted<std::int64_t> blocks;
};
GAPLESS_RECORD(
    checked_ledger,
    (),
    (ledger_rows, "Rows of the ledger."),
    (numbers, "Numbers in them."),
    (blocks, "Blocks of the series.")
)

struct verification
{
    std::vector<finding> findings;
    checked_ledger checked;
};
GAPLESS_RECORD(
    verification, (), (findings, "Empty: gapless."), (checked, "How much was looked at.")
)

}  // namespace gapless::bodies

namespace gapless {

/// GET /v1/verify/{series} — recomputes the proof: {"findings":[…],"checked":{…}}. 200, also with
/// findings.
boost::asio::awaitable<result<void>> get_verification(exchange& current);

}  // namespace gapless
