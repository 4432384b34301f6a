#include "http/exchange.hpp"

namespace gapless {

void note_answer(exchange const& current, std::chrono::steady_clock::time_point began)
{
    auto& counters = current.state.counters;
    auto const status = current.out.status;
    ++counters.requests;
    ++counters.answers[static_cast<std::size_t>(status) / 100];
    if (!current.state.log)
        return;
    auto const took = std::chrono::steady_clock::now() - began;
    current.state.log(
        {.method = current.head.method,
         .pattern = current.matched ? current.matched->pattern : std::string_view{},
         .status = status,
         .duration = std::chrono::duration_cast<std::chrono::microseconds>(took),
         .request_id = current.out.request_id,
         .traceparent = current.out.traceparent,
         .token = current.who ? std::string_view{current.who->name} : std::string_view{},
         .series = current.series ? current.path[0] : std::string_view{},
         .problem = current.out.problem}
    );
}

}  // namespace gapless
