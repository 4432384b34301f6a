#include "store/batch_parameters.hpp"

#include <algorithm>
#include <vector>

namespace gapless {

namespace {

void add_references(binary_parameters& parameters, lane_batch const& batch)
{
    auto const& requests = batch.requests;
    auto const given =
        std::ranges::count_if(requests, [](auto const* r) { return !!r->reference; });
    if (given == 0)
        return parameters.add_null();
    auto const has_null = static_cast<std::size_t>(given) < requests.size();
    parameters.begin_array(type_id::text, requests.size(), has_null);
    for (auto const* request : requests)
        parameters.append_text(request->reference);
}

/// Counts, owners and keys: what every statement takes of each request.
void add_requests(binary_parameters& parameters, lane_batch const& batch)
{
    auto const n = batch.requests.size();
    parameters.begin_array(type_id::int4, n);
    for (auto const* request : batch.requests)
        parameters.append_int4(request->count);
    parameters.begin_array(type_id::int4, n);
    for (auto const* request : batch.requests)
        parameters.append_int4(request->owner_id);
    parameters.begin_array(type_id::uuid, n);
    for (auto const* request : batch.requests)
        parameters.append_bytes(request->key.bytes);
}

void add_holds(binary_parameters& parameters, lane_batch const& batch)
{
    auto const& requests = batch.requests;
    if (std::ranges::none_of(requests, [](auto const* r) { return r->hold_seconds.has_value(); }))
        return parameters.add_null();
    parameters.begin_array(type_id::int4, requests.size(), true);
    for (auto const* request : requests)
        parameters.append_int4(request->hold_seconds);
}

/// Where each request starts within what is asked of its series.
void add_offsets(binary_parameters& parameters, lane_batch const& batch)
{
    parameters.begin_array(type_id::int8, batch.requests.size());
    std::int64_t offset = 0;
    issue_request const* before = nullptr;
    for (auto const* request : batch.requests)
    {
        if (before != nullptr && before->series_id != request->series_id)
            offset = 0;
        parameters.append_int8(offset);
        offset += request->count;
        before = request;
    }
}

struct series_total
{
    std::int32_t series_id{};
    std::int64_t count{};
};

/// What is asked of each series of a batch, in the order of their ids.
std::vector<series_total> totals(lane_batch const& batch)
{
    std::vector<series_total> all;
    for (auto const* request : batch.requests)
    {
        if (all.empty() || all.back().series_id != request->series_id)
            all.push_back({request->series_id, 0});
        all.back().count += request->count;
    }
    std::ranges::sort(all, {}, &series_total::series_id);
    return all;
}

/// Where the series of each request stands in `series`, from 1 as PostgreSQL counts.
void add_places(
    binary_parameters& parameters, lane_batch const& batch, std::vector<series_total> const& series
)
{
    parameters.begin_array(type_id::int4, batch.requests.size());
    for (auto const* request : batch.requests)
    {
        auto const found =
            std::ranges::lower_bound(series, request->series_id, {}, &series_total::series_id);
        parameters.append_int4(static_cast<std::int32_t>(found - series.begin()) + 1);
    }
}

void fill_plain(binary_parameters& parameters, lane_batch const& batch)
{
    parameters.add_int4(batch.series_id);
    add_offsets(parameters, batch);
    add_requests(parameters, batch);
    add_references(parameters, batch);
    add_holds(parameters, batch);
    parameters.add_boolean(batch.manners == courtesy::ask);
}

void fill_many(binary_parameters& parameters, lane_batch const& batch)
{
    auto const series = totals(batch);
    parameters.begin_array(type_id::int4, series.size());
    for (auto const& one : series)
        parameters.append_int4(one.series_id);
    parameters.begin_array(type_id::int8, series.size());
    for (auto const& one : series)
        parameters.append_int8(one.count);
    add_places(parameters, batch, series);
    add_offsets(parameters, batch);
    add_requests(parameters, batch);
    add_references(parameters, batch);
}

void fill_requests(binary_parameters& parameters, lane_batch const& batch)
{
    parameters.add_int4(batch.series_id);
    add_requests(parameters, batch);
    add_references(parameters, batch);
    parameters.begin_array(type_id::boolean, batch.requests.size());
    for (auto const* request : batch.requests)
        parameters.append_boolean(request->contiguous);
    add_holds(parameters, batch);
    parameters.add_boolean(batch.manners == courtesy::ask);
}

}  // namespace

char const* fill_parameters(binary_parameters& parameters, lane_batch const& batch)
{
    parameters.clear();
    if (batch.look_up)
    {
        fill_requests(parameters, batch);
        return "requests";
    }
    if (batch.series_id == 0)
    {
        fill_many(parameters, batch);
        return "many";
    }
    fill_plain(parameters, batch);
    return "plain";
}

}  // namespace gapless
