#pragma once

#include "http/answer.hpp"
#include "http/tls.hpp"

#include <boost/asio/buffer.hpp>

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace gapless {

/// An answer, cut into what is sent in one turn, so that a long body occupies neither the I/O
/// thread nor much memory. No I/O.
class answer_writer
{
public:
    /// Makes the first bytes of an answer: its head, with its body if that is short. `given` must
    /// outlive the writing. `with_body` false: the request was HEAD.
    void begin(answer& given, connection_header connection, bool with_body);

    /// Makes the next bytes. Returns false if there are no more.
    bool next_piece();

    /// Replaces the bytes to send by their encryption.
    void seal(tls_channel& channel);

    /// The bytes to send.
    std::array<boost::asio::const_buffer, 2> parts() const noexcept
    {
        return {boost::asio::buffer(output_), boost::asio::buffer(long_piece_)};
    }
    std::size_t bytes() const noexcept { return output_.size() + long_piece_.size(); }

    /// The same without the first `sent` bytes.
    std::array<boost::asio::const_buffer, 2> parts_behind(std::size_t sent) const noexcept;

    /// Ends the answer. Frees the memory of a long one.
    void end();

private:
    void cut_piece(std::string_view body) noexcept;

    answer* given_{};
    std::string output_;           // the head, with the body unless that is long; or ciphertext
    std::string_view long_piece_;  // or a piece of the long body
    std::string_view long_body_;   // the rest of the long body
};

}  // namespace gapless
