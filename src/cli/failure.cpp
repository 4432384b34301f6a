#include "cli/failure.hpp"

#include <fmt/format.h>

namespace gapless::cli {

exit_code exit_code_of(refusal_kind kind) noexcept
{
    switch (kind)
    {
    case refusal_kind::malformed_request:
    case refusal_kind::idempotency_key_missing:
    case refusal_kind::too_large:
    case refusal_kind::unsupported_media_type:
    case refusal_kind::out_of_range: return exit_code::usage;
    case refusal_kind::unknown_series:
    case refusal_kind::unknown_number:
    case refusal_kind::unknown_issuance:
    case refusal_kind::not_found: return exit_code::not_found;
    case refusal_kind::unauthenticated:
    case refusal_kind::forbidden: return exit_code::not_allowed;
    case refusal_kind::series_exhausted:
    case refusal_kind::not_contiguous:
    case refusal_kind::series_paused:
    case refusal_kind::hold_expired:
    case refusal_kind::issuance_settled:
    case refusal_kind::block_overlap:
    case refusal_kind::state_conflict:
    case refusal_kind::on_lease:
    case refusal_kind::ambiguous_number:
    case refusal_kind::confirmation_needed:
    case refusal_kind::precondition_failed:
    case refusal_kind::idempotency_key_reused:
    case refusal_kind::fenced: return exit_code::conflict;
    case refusal_kind::database_unavailable: return exit_code::unreachable;
    case refusal_kind::method_not_allowed:
    case refusal_kind::not_acceptable:
    case refusal_kind::too_many_requests:
    case refusal_kind::overloaded:
    case refusal_kind::outcome_unknown: return exit_code::failure;
    }
    return exit_code::failure;
}

std::string_view way_out(refusal_kind kind) noexcept
{
    if (kind == refusal_kind::unknown_series)
        return "'gapless series list' shows the series there are";
    if (kind == refusal_kind::ambiguous_number)
        return "say --series";
    if (kind == refusal_kind::block_overlap)
        return "'gapless block list' shows what is loaded; check the numbers in the carrier's "
               "letter";
    if (kind == refusal_kind::on_lease)
        return "'gapless lease list' shows who has it";
    return {};
}

std::string to_text(gone_numbers const& gone)
{
    return fmt::format("{} to {} ({}), {}", gone.first, gone.last, gone.count, gone.state);
}

command_failed to_failure(refusal const& why)
{
    auto text = why.detail.empty() ? std::string{title_of(why.kind)} : why.detail;
    for (auto const& gone : why.gone)
        text.append("\n  gone: ").append(to_text(gone));
    if (auto const advice = way_out(why.kind); !advice.empty())
        text.append("\n  ").append(advice);
    if (why.kind == refusal_kind::forbidden && why.trouble != trouble_kind{})
        text.append(
            "\n  connect as a role that is a member of gapless_admin; gapless_app is enough "
            "to issue and read"
        );
    return {exit_code_of(why.kind), text};
}

command_failed usage_error(std::string const& text)
{
    return {exit_code::usage, text};
}

}  // namespace gapless::cli
