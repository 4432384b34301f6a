#include "issuing/pipeline_connection.hpp"

#include <doctest/doctest.h>

#include <array>
#include <sys/socket.h>
#include <unistd.h>

namespace set_up_watch_test {

using namespace gapless;

/// Whether a connection that is set up is cut before it is done.
bool is_cut(set_up_watch& watch)
{
    std::array<int, 2> ends{};
    REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()) == 0);
    watch.begin(ends[0]);
    char byte{};
    auto const shut = ::recv(ends[1], &byte, 1, MSG_DONTWAIT) == 0;
    for (auto const end : ends)
        ::close(end);
    CHECK(watch.end() == shut);
    return shut;
}

TEST_SUITE("issuing/set_up_watch")
{
    TEST_CASE("whoever stops while it connects is not kept by the set-up that follows")
    {
        set_up_watch watch;
        watch.cut(set_up_watch::clock::now());  // nothing is set up that long ago
        CHECK_FALSE(is_cut(watch));
        watch.cut(set_up_watch::clock::time_point::max());
        CHECK(is_cut(watch));
        CHECK(is_cut(watch));
    }
}

}  // namespace set_up_watch_test
