#pragma once

#include "http/chunked_body.hpp"
#include "http/fault.hpp"
#include "http/head_scanner.hpp"
#include "http/input_buffer.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gapless {

/// Cuts what a connection has received into requests: bytes go in, heads and bodies come out. No
/// I/O, no clock; the result does not depend on how the bytes arrive.
class request_reader
{
public:
    /// `header_bytes_max`: of a head; beyond, it is faulty.
    explicit request_reader(std::size_t header_bytes_max) : header_bytes_max_{header_bytes_max} {}

    enum class progress
    {
        idle = 1,  // no byte of the next request has arrived
        arriving,  // some bytes have
        head,      // its head is complete
        faulty,    // it never will be complete; why() tells the reason
    };

    /// Where to put more bytes; took() then takes the first `count` of them.
    boost::asio::mutable_buffer room() { return input_.prepare(read_bytes); }
    void took(std::size_t count) noexcept { input_.commit(count); }

    /// Looks for the head of the next request in the bytes so far.
    progress look() noexcept;

    fault const& why() const noexcept { return why_; }

    /// The bytes of a complete head.
    std::string_view head() const noexcept { return input_.bytes().substr(0, scanner_.end()); }

    /// Whether the request is a HEAD, even if its head cannot be read: its answer has no body.
    bool is_for_head() const noexcept { return input_.bytes().starts_with("HEAD "); }

    /// Whether a body of that length has come with its head; and the body.
    bool has_body(std::uint64_t length) const noexcept
    {
        return input_.bytes().size() >= scanner_.end() + length;
    }
    std::string_view body(std::uint64_t length) const noexcept
    {
        return input_.bytes().substr(scanner_.end(), static_cast<std::size_t>(length));
    }

    /// The same for a body that comes after its head, in parts: where to put the rest, empty once
    /// it is complete. Call begin_late_body() first.
    void begin_late_body(std::uint64_t length);
    boost::asio::mutable_buffer late_room() noexcept
    {
        return boost::asio::buffer(late_body_) + late_bytes_;
    }
    void took_late(std::size_t count) noexcept { late_bytes_ += count; }
    std::size_t late_bytes() const noexcept { return late_bytes_; }
    std::string_view late_body() const noexcept { return late_body_; }

    /// The same for a body in chunks, which `decoder` extracts from what follows the head. Returns
    /// true if the body is complete or faulty; otherwise more bytes are needed: room for them, and
    /// how many came.
    bool begin_chunks(chunked_body decoder);
    boost::asio::mutable_buffer chunk_room();
    bool took_chunks(std::size_t count);

    /// True if nothing of the body came with the head: a client may wait for 100 Continue.
    bool none_of_chunks() const noexcept { return chunk_head_bytes_ == 0; }
    chunked_body const& chunks() const noexcept { return *chunks_; }

    /// Ends a request of that many bytes, head and body, chunks not counted: the next one begins
    /// after it. Frees the memory of a long body.
    void next(std::uint64_t request_bytes);

    /// Discards everything received.
    void drop() noexcept { input_.consume(input_.bytes().size()); }

private:
    static constexpr std::size_t read_bytes = 4 * 1'024;
    static constexpr std::size_t kept_body_bytes_max = 64 * 1'024;

    std::size_t header_bytes_max_;
    head_scanner scanner_;
    input_buffer input_;
    std::string late_body_;
    std::size_t late_bytes_{};
    std::optional<chunked_body> chunks_;
    std::string chunk_input_;         // received after the head and what came with it
    std::string behind_chunks_;       // the part of it that belongs to the next request
    std::size_t chunk_head_bytes_{};  // of the coded body, those that came with the head
    fault why_{};
    bool begun_{};         // bytes of the current request have arrived
    bool skipped_line_{};  // an empty line was found before it
};

}  // namespace gapless
