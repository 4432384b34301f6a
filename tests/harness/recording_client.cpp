#include "harness/recording_client.hpp"

#include "harness/issuance_answer.hpp"

#include <nlohmann/json.hpp>

#include <iomanip>
#include <sstream>

namespace gapless::test {

namespace {

nlohmann::json parse(std::string const& body)
{
    return nlohmann::json::parse(body, nullptr, false);
}

}  // namespace

http_client& recording_client::connection_to(std::size_t instance)
{
    auto const address = instances_.address(instance);
    auto& connection = connections_[address];
    if (!connection)
        connection = std::make_unique<http_client>(address);
    return *connection;
}

http_outcome recording_client::exchange(
    std::size_t instance, http_request const& request, attempt& tried
)
{
    tried.client = who_.client;
    tried.instance = std::to_string(instance);
    auto& connection = connection_to(instance);
    tried.sent_at = wall_clock();
    tried.started = now();
    auto outcome = connection.exchange(request);
    tried.ended = now();
    if (outcome.answer)
        tried.status = outcome.answer->status;
    else
        tried.fate = outcome.why == no_answer::not_sent ? attempt_fate::fail : attempt_fate::info;
    return outcome;
}

http_request recording_client::to_request(issue_wish const& wanted) const
{
    nlohmann::json body{{"count", wanted.count}};
    if (wanted.contiguous)
        body["contiguous"] = true;
    return {
        .method = "POST",
        .target = "/v1/series/" + wanted.series + "/numbers",
        .fields =
            {{"Authorization", "Bearer " + who_.token},
             {"Idempotency-Key", wanted.key},
             {"Content-Type", "application/json"}},
        .body = body.dump()};
}

attempt recording_client::issue_once(issue_wish const& wanted, std::size_t instance, operation what)
{
    attempt tried;
    tried.what = what;
    tried.series = wanted.series;
    tried.key = wanted.key;
    tried.count = wanted.count;
    tried.contiguous = wanted.contiguous;
    tried.turn = ++turns_[wanted.key];
    auto const outcome = exchange(instance, to_request(wanted), tried);
    if (outcome.answer)
        read_answer(*outcome.answer, tried);
    seen_.add(tried);
    return tried;
}

attempt recording_client::read_issued(std::string const& series, std::size_t instance)
{
    attempt tried;
    tried.what = operation::read;
    tried.series = series;
    auto const outcome = exchange(
        instance,
        {.target = "/v1/series/" + series, .fields = {{"Authorization", "Bearer " + who_.token}}},
        tried
    );
    if (tried.status == 200)
    {
        tried.fate = attempt_fate::ok;
        tried.issued = to_number(parse(outcome.answer->body).at("issued"));
    }
    seen_.add(tried);
    return tried;
}

std::string make_key(std::mt19937_64& dice)
{
    std::ostringstream text;
    text << std::hex << std::setfill('0') << std::setw(16) << dice() << std::setw(16) << dice();
    auto key = text.str();
    key[12] = '4';
    key[16] = '8';
    for (auto const at : {20U, 16U, 12U, 8U})
        key.insert(at, "-");
    return key;
}

void read_answer(http_answer const& answer, attempt& tried)
{
    auto const body = parse(answer.body);
    tried.replayed = answer.field("idempotency-replayed") == "true";
    if (answer.status == 201)
    {
        tried.fate = attempt_fate::ok;
        tried.body = answer.body;
        tried.defect = read_issuance(body, tried);
        if (tried.defect.empty() && answer.field("location") != "/v1/issuances/" + tried.issuance)
            tried.defect = "the location is " + answer.field("location");
        return;
    }
    tried.fate = attempt_fate::info;
    if (!body.is_object())
        return;
    tried.executed = body.value("executed", "");
    tried.detail = body.value("detail", "");
    tried.problem = body.value("type", "");
    constexpr std::string_view prefix{"/problems/"};
    if (tried.problem.starts_with(prefix))
        tried.problem.erase(0, prefix.size());
    if (tried.executed == "no")
        tried.fate = attempt_fate::fail;
}

}  // namespace gapless::test
