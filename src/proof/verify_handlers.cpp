#include "proof/verify_handlers.hpp"

#include "formats/series_entry.hpp"
#include "notices/notice_list.hpp"
#include "proof/verify_store.hpp"
#include "record/json.hpp"

namespace gapless {

namespace asio = boost::asio;

asio::awaitable<result<void>> get_verification(exchange& current)
{
    cases::verify_series wanted{current.series->name};
    auto const checked = co_await current.service<record_service>().prove(std::move(wanted));
    if (checked.has_error())
        co_return checked.error();
    // The findings are the answer, even if no notice could be published.
    if (!checked->findings.empty())
        co_await current.service<record_service>().change(
            cases::tell_findings{static_cast<std::int64_t>(checked->findings.size())},
            current.by(std::nullopt)
        );
    append_json(
        current.out.body,
        bodies::verification{
            checked->findings, {checked->ledger_rows, checked->numbers, checked->blocks}}
    );
    co_return result<void>{};
}

}  // namespace gapless
