#include "http/answer_writer.hpp"

#include <algorithm>
#include <utility>

namespace gapless {

namespace {

constexpr std::size_t joined_body_bytes_max =
    16 * 1'024;  // beyond, a copy costs more than a gather
constexpr std::size_t kept_bytes_max = 64 * 1'024;
constexpr std::size_t piece_bytes_max = 64 * 1'024;  // written or encrypted in one turn

}  // namespace

void answer_writer::begin(answer& given, connection_header connection, bool with_body)
{
    given_ = &given;
    output_.clear();
    append_head(output_, given, connection);
    long_piece_ = long_body_ = {};
    if (!with_body)
        given.rest.reset();
    else if (given.body.size() <= joined_body_bytes_max)
        output_ += given.body;
    else
        cut_piece(given.body);
}

void answer_writer::cut_piece(std::string_view body) noexcept
{
    long_piece_ = body.substr(0, piece_bytes_max);
    long_body_ = body.substr(long_piece_.size());
}

bool answer_writer::next_piece()
{
    auto* const rest = given_->rest.get();
    output_.clear();
    if (!long_body_.empty())
        cut_piece(long_body_);
    else if (rest && rest->bytes() > 0)
    {
        long_piece_ = {};
        rest->append_piece(output_);
    }
    else
        return false;
    return true;
}

void answer_writer::seal(tls_channel& channel)
{
    std::string sealed;
    sealed.reserve(bytes() + bytes() / 256 + tls_channel::goodbye_bytes_max);
    channel.write(output_, sealed);
    channel.write(long_piece_, sealed);
    output_ = std::move(sealed);
    long_piece_ = {};
}

std::array<boost::asio::const_buffer, 2> answer_writer::parts_behind(std::size_t sent
) const noexcept
{
    auto all = parts();
    auto const of_first = std::min(sent, all[0].size());
    all[0] += of_first;
    all[1] += sent - of_first;
    return all;
}

void answer_writer::end()
{
    given_ = nullptr;
    if (output_.capacity() > kept_bytes_max)
        output_ = {};
}

}  // namespace gapless
