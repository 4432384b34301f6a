#include "issuing/pipeline.hpp"

#include "issuing/failing_pipeline.hpp"
#include "postgres/connection.hpp"

#include <algorithm>

namespace gapless {

database_error read_database_error(PGresult const* result)
{
    auto const field = [&](int code) {
        auto const* text = PQresultErrorField(result, code);
        return std::string{text != nullptr ? text : ""};
    };
    database_error error{
        .state = field(PG_DIAG_SQLSTATE),
        .message = field(PG_DIAG_MESSAGE_PRIMARY),
        .constraint = field(PG_DIAG_CONSTRAINT_NAME),
        .detail = field(PG_DIAG_MESSAGE_DETAIL)};
    // An error of libpq itself has no fields.
    if (error.message.empty())
        error.message = to_public_text(PQresultErrorMessage(result));
    return error;
}

bool pipeline::send(std::string const& statement, binary_parameters& parameters)
{
    constexpr int binary = 1;
    return PQsendQueryPrepared(
               connection_,
               statement.c_str(),
               parameters.count(),
               parameters.values(),
               parameters.lengths(),
               parameters.formats(),
               binary
           ) != 0;
}

bool pipeline::sync()
{
    return PQpipelineSync(connection_) != 0;
}

bool pipeline::probe()
{
    return PQpipelineSync(connection_) != 0;
}

bool pipeline::flush()
{
    // A write failure shows up as a read failure.
    return PQflush(connection_) != 1;
}

bool pipeline::receive()
{
    return PQconsumeInput(connection_) != 0;
}

result_pointer pipeline::next_result()
{
    // A null ends the results of one statement; two in a row mean that nothing more has arrived.
    for (int nulls = 0; nulls < 2 && PQisBusy(connection_) == 0; ++nulls)
        if (result_pointer result{PQgetResult(connection_)})
            return result;
    return nullptr;
}

std::string pipeline::trouble() const
{
    return to_public_text(PQerrorMessage(connection_));
}

std::unique_ptr<pipeline> open_pipeline(PGconn* connection)
{
    if constexpr (GAPLESS_FAILPOINTS != 0)
        return open_failing_pipeline(connection);
    return std::make_unique<pipeline>(connection);
}

}  // namespace gapless
