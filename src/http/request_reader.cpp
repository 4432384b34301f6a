#include "http/request_reader.hpp"

#include <algorithm>
#include <utility>

namespace gapless {

request_reader::progress request_reader::look() noexcept
{
    if (!begun_)
    {
        // RFC 9112 2.2: one empty line before a request is ignored.
        if (!skipped_line_ && input_.bytes().starts_with("\r\n"))
        {
            input_.consume(2);
            skipped_line_ = true;
        }
        if (input_.empty() || input_.bytes() == "\r")
            return progress::idle;
        begun_ = true;
    }
    // Bytes beyond the limit are not scanned.
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
    why_ = scanner_.in_request_line()
               ? fault{414, "The request line is longer than {} bytes.", header_bytes_max_}
               : fault{431, "The header is larger than {} bytes.", header_bytes_max_};
    return progress::faulty;
}

void request_reader::begin_late_body(std::uint64_t length)
{
    auto const here = body(length);
    late_body_.resize(static_cast<std::size_t>(length));
    std::ranges::copy(here, late_body_.begin());
    late_bytes_ = here.size();
}

bool request_reader::begin_chunks(chunked_body decoder)
{
    chunks_ = std::move(decoder);
    chunk_head_bytes_ = chunks_->take(input_.bytes().substr(scanner_.end()));
    return chunks_->complete() || chunks_->found_fault();
}

boost::asio::mutable_buffer request_reader::chunk_room()
{
    chunk_input_.resize(read_bytes);
    return boost::asio::buffer(chunk_input_);
}

bool request_reader::took_chunks(std::size_t count)
{
    // Not read into input_: views of the head point there.
    auto const received = std::string_view{chunk_input_}.substr(0, count);
    behind_chunks_ = received.substr(chunks_->take(received));
    return chunks_->complete() || chunks_->found_fault();
}

void request_reader::next(std::uint64_t request_bytes)
{
    input_.consume(std::min<std::uint64_t>(input_.bytes().size(), request_bytes + chunk_head_bytes_)
    );
    if (chunks_)
    {
        if (!behind_chunks_.empty())
        {
            auto const room = input_.prepare(behind_chunks_.size());
            boost::asio::buffer_copy(room, boost::asio::buffer(behind_chunks_));
            input_.commit(behind_chunks_.size());
        }
        chunks_.reset();
        chunk_input_ = {};
        behind_chunks_ = {};
        chunk_head_bytes_ = 0;
    }
    scanner_ = {};
    begun_ = false;
    skipped_line_ = false;
    if (late_body_.capacity() > kept_body_bytes_max)
        late_body_ = {};
}

}  // namespace gapless
