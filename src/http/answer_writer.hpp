#pragma once

#include "http/answer.hpp"
#include "http/tls.hpp"

#include <boost/asio/buffer.hpp>

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace gapless {

/// An answer, cut into what is sent in one turn: a long body holds neither the I/O thread nor much
/// memory. No I/O.
class answer_writer
{
public:
    /// Makes the first bytes of an answer: its head, and its body as far as it is short. `given`
    /// outlives its pieces. `with_body` false: the request was HEAD.
    void begin(answer& given, connection_header connection, bool with_body);

    /// Makes the next bytes. False: that was all.
    bool next_piece();

    /// The bytes to send become their encryption.
    void seal(tls_channel& channel);

    /// The bytes to send.
    std::array<boost::asio::const_buffer, 2> parts() const noexcept
    {
        return {boost::asio::buffer(output_), boost::asio::buffer(long_piece_)};
    }
    std::size_t bytes() const noexcept { return output_.size() + long_piece_.size(); }

    /// The same without the first `sent` of them.
    std::array<boost::asio::const_buffer, 2> parts_behind(std::size_t sent) const noexcept;

    /// Done with the answer. Gives the memory of a long one back.
    void end();

private:
    void cut_piece(std::string_view body) noexcept;

    answer* given_{};
    std::string output_;  // the head of the answer, and its body unless that is long; or encrypted
    std::string_view long_piece_;  // or else a piece of its body
    std::string_view long_body_;   // and what comes behind that
};

}  // namespace gapless
