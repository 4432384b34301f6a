#include "carriers/commands.hpp"
#include "carriers/operations.hpp"
#include "cli/operation_commands.hpp"

namespace gapless::cli {

noun carrier_commands()
{
    return operation_commands(carriers::administration);
}

}  // namespace gapless::cli
