#pragma once

#include "epochs/epoch_opening.hpp"

/// Implements 'gapless epoch prepare-move' and 'gapless epoch move'.
namespace gapless::cli {

/// Ends the epoch on the issuing server, and leaves a seal in every folder of journals.
exit_code prepare_epoch_move(command_context& context, epoch_options const& wants);

/// Opens the next epoch on the server that the database was moved to, and voids nothing. Takes two
/// administrators, like open_next_epoch().
exit_code complete_epoch_move(command_context& context, epoch_options const& wants);

}  // namespace gapless::cli
