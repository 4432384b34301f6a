#include "access/act.hpp"
#include "record/json.hpp"

#include <doctest/doctest.h>

namespace gapless::audit::test {

TEST_SUITE("access/act_database")
{
    TEST_CASE("every number of the database's JSON is put in quotes")
    {
        std::string json;
        gapless::append_json(
            json,
            act{.after =
                    document{
                        R"({"first": 4901214213405250000, "x": "a\"-1", "n": [-1.5e3, true]})"}}
        );
        CHECK(
            json ==
            R"({"id":"0","at":"1970-01-01T00:00:00.000000Z","actor":"","role":"","action":"",)"
            R"("subject":"","before":null,)"
            R"("after":{"first": "4901214213405250000", "x": "a\"-1", "n": ["-1.5e3", true]},)"
            R"("token":null,"request_id":null})"
        );
        json.clear();
        append_json(json, document{"-7"});
        CHECK(json == R"("-7")");
    }
}

}  // namespace gapless::audit::test
