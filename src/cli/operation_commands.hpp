#pragma once

#include "cli/verb.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>

namespace gapless {

struct feature;
struct operation;

}  // namespace gapless

namespace gapless::cli {

/// Ends the command (command_failed) unless a service that may call private addresses in these
/// networks may call the URL right now.
using url_checker = void (*)(std::string_view url, std::string const& networks);

/// Says what else a person should know about an operation after its answer was printed, also in a
/// dry run. `shown`: the answer; for a list, its rows.
using teller =
    void (*)(command_context& context, operation const& done, nlohmann::ordered_json const& shown);

/// The verbs of a feature, made from its table of operations; those without a verb are left out.
/// `checks`: for operations that store a URL; null if none does. `tells`: null if there is nothing
/// to say.
noun operation_commands(feature const& of, url_checker checks = nullptr, teller tells = nullptr);

}  // namespace gapless::cli
