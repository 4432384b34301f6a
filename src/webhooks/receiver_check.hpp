#pragma once

#include <string>
#include <string_view>

namespace gapless::cli {

/// A url_checker for webhook receivers; looks the name up. Blocks.
void check_receiver(std::string_view text, std::string const& named_networks);

}  // namespace gapless::cli
