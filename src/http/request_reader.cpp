#include "http/request_reader.hpp"

#include <algorithm>

namespace gapless {

request_reader::progress request_reader::look() noexcept
{
    if (!begun_)
    {
        // RFC 9112 2.2: one empty line before a request is forgiven.
        if (!skipped_line_ && input_.bytes().starts_with("\r\n"))
        {
            input_.consume(2);
            skipped_line_ = true;
        }
        if (input_.empty() || input_.bytes() == "\r")
            return progress::idle;
        begun_ = true;
    }
    // What lies beyond the limit is not looked at.
    if (scanner_.scan(input_.bytes().substr(0, header_bytes_max_)))
    {
        auto const& found = scanner_.found_fault();
        if (!found)
            return progress::head;
        why_ = *found;
        return progress::faulty;
    }
    if (input_.bytes().size() <= header_bytes_max_)
        return progress::arriving;
    why_ = scanner_.in_request_line() ? fault{414, "The target of the request is too long."}
                                      : fault{431, "The header is too large."};
    return progress::faulty;
}

void request_reader::begin_late_body(std::uint64_t length)
{
    auto const here = body(length);
    late_body_.resize(static_cast<std::size_t>(length));
    std::ranges::copy(here, late_body_.begin());
    late_bytes_ = here.size();
}

void request_reader::next(std::uint64_t request_bytes)
{
    input_.consume(std::min<std::uint64_t>(input_.bytes().size(), request_bytes));
    scanner_ = {};
    begun_ = false;
    skipped_line_ = false;
    if (late_body_.capacity() > kept_body_bytes_max)
        late_body_ = {};
}

}  // namespace gapless
