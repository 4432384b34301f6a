#pragma once

#include "cli/verb.hpp"

#include <string>
#include <string_view>

namespace gapless {

struct feature;

}  // namespace gapless

namespace gapless::cli {

/// Ends the command (command_failed) unless a service that may call private addresses of these
/// networks may call the URL at this moment.
using url_checker = void (*)(std::string_view url, std::string const& networks);

/// The verbs of a feature, made of its table of operations; those without a verb are left out.
/// `checks`: for operations that keep a URL; null where none does.
noun operation_commands(feature const& of, url_checker checks = nullptr);

}  // namespace gapless::cli
