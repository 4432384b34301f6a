#include "wire/lease_json.hpp"

#include "wire/json_writer.hpp"

namespace gapless {

void append_lease(listed_lease const& lease, std::string& json)
{
    json += '{';
    append_text(json, "lease", to_text(lease.lease));
    append_text(json, "series", lease.series);
    append_text(json, "instance", to_text(lease.instance));
    append_text(json, "host", lease.host);
    append_text(json, "status", name_of(lease.status));
    append_moment(json, "contact", lease.contact);
    append_moment(json, "granted_at", lease.granted_at);
    append_moment(json, "draw_until", lease.draw_until);
    append_text(json, "first", lease.first);
    append_text(json, "last", lease.last);
    append_count(json, "count", lease.count);
    append_count(json, "held", lease.held);
    append_count(json, "settled", lease.settled);
    append_count(json, "returned", lease.returned);
    append_count(json, "written_off", lease.written_off);
    append_truth(append_name(json, "overdue"), lease.overdue);
    json += '}';
}

}  // namespace gapless
