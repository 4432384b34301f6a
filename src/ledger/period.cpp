#include "ledger/period.hpp"

#include "base/field_text.hpp"
#include "base/written_value.hpp"
#include "postgres/query.hpp"

#include <fmt/format.h>

namespace gapless {

namespace {

template <class Moment>
result<std::optional<Moment>> read_end(std::string_view name, std::optional<std::string_view> text)
{
    if (!text)
        return std::optional<Moment>{};
    auto moment = written::read_moment(to_moment_text(*text));
    if (moment.has_error())
        return refusal{moment.error().kind, fmt::format("{}: {}", name, moment.error().detail)};
    return std::optional{Moment{std::move(*moment)}};
}

}  // namespace

result<period> read_period(std::optional<std::string_view> from, std::optional<std::string_view> to)
{
    auto const first = read_end<first_moment>("from", from);
    if (first.has_error())
        return first.error();
    auto const last = read_end<last_moment>("to", to);
    if (last.has_error())
        return last.error();
    return period{*first, *last};
}

result<void> check_period(pqxx::transaction_base& transaction, period const& issued)
{
    if (!issued.from || !issued.to || issued.from->text == issued.to->text)
        return {};
    if (query_value<bool>(
            transaction,
            "select gapless.moment_of($1, false) <= gapless.moment_of($2, true)",
            issued.from->text,
            issued.to->text
        ))
        return {};
    return refusal{
        refusal_kind::out_of_range,
        fmt::format("to: {} is before from, {}", issued.to->text, issued.from->text)};
}

}  // namespace gapless
