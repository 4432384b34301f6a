#pragma once

#include "harness/issuing.hpp"
#include "postgres/run_operation.hpp"
#include "postgres/transaction.hpp"
#include "record/read.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

namespace gapless::test {

/// A database whose operations run as they do in the service, for cli:anna.
struct operation_bench : issuing
{
    operation_bench() { run("set timezone = 'UTC'; set datestyle = 'ISO, YMD'"); }

    result<answered> ask(run_operation const& runs)
    {
        return run_serializable(connection(), {}, [&](pqxx::transaction_base& transaction) {
            return runs.run(transaction, "cli:anna");
        });
    }

    /// The operation of a table with that method and path. `values`: of its input's fields, in
    /// their order; those that are left out are not given. Throws refused for what cannot be read.
    result<answered> ask(
        feature const& of,
        http_method method,
        std::string_view path,
        std::vector<raw_value> values,
        viewer sees = {},
        series_entry const* series = nullptr
    )
    {
        auto const wanted = std::ranges::find_if(of.operations, [&](operation const& each) {
            return each.method == method && each.path == path;
        });
        REQUIRE(wanted != of.operations.end());
        values.resize(wanted->input->fields.size());
        auto const& word = method == http_method::get ? word_for_query : word_for_body;
        auto input = make_record(*wanted->input, values, word);
        return ask({&*wanted, std::move(input), std::move(sees), series});
    }
};

}  // namespace gapless::test
