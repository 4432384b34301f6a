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

/// Ends the command (command_failed) unless a service that may call private addresses of these
/// networks may call the URL at this moment.
using url_checker = void (*)(std::string_view url, std::string const& networks);

/// Says what else a person has to know of an operation, whose answer was printed; also in a dry
/// run. `shown`: the answer, of a list its rows.
using teller =
    void (*)(command_context& context, operation const& done, nlohmann::ordered_json const& shown);

/// The verbs of a feature, made of its table of operations; those without a verb are left out.
/// `checks`: for operations that keep a URL; null where none does. `tells`: null where nothing is
/// to be said.
noun operation_commands(feature const& of, url_checker checks = nullptr, teller tells = nullptr);

}  // namespace gapless::cli
