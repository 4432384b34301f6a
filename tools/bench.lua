-- What wrk sends for tools/bench: requests made beforehand, each with an idempotency key of its own.
--
--   wrk … -s bench.lua URL -- REQUESTS random|ordered REPLAYS SEED CLIENTS
--
-- REQUESTS is a file of whole requests, divided by NUL, sent in turn; each holds an empty UUID where
-- its key goes. Keys are random (version 4) or ordered by time (version 7). REPLAYS percent of the
-- requests are repeats of one of the last thousand. Prints one line of JSON at the end.

local ffi = require("ffi")
ffi.cdef("struct bench_time { long seconds; long microseconds; };"
    .. "int gettimeofday(struct bench_time *, void *);")

local empty_key = "00000000-0000-0000-0000-000000000000"
local recent_max = 1000
local random = math.random

-- Four hexadecimal digits at once: cheaper than string.format by a factor of ten.
local digits = ffi.new("uint32_t[65536]")

local requests = {}  -- {text = char[], size =, groups = where each four digits of the key go}
local turn = 0
local ordered = false
local replays = 0
local now = ffi.new("struct bench_time")
local began, clients
local last_ms, within_ms = 0, 0
local recent = {}

-- Read by done(). wrk calls request() once without sending the answer, hence -1.
fresh, repeated = -1, 0
first_seconds = 0  -- until each of the requests was answered once

local threads = {}

function setup(thread)
    table.insert(threads, thread)
    thread:set("thread_number", #threads)
end

local function prepare(text)
    local at = assert(text:find(empty_key, 1, true), "a request without a key") - 1
    local bytes = ffi.new("char[?]", #text)
    ffi.copy(bytes, text, #text)
    local groups = ffi.new("uint32_t *[8]")
    for index, offset in ipairs({0, 4, 9, 14, 19, 24, 28, 32}) do
        groups[index - 1] = ffi.cast("uint32_t *", bytes + at + offset)
    end
    return {bytes = bytes, size = #text, groups = groups}
end

function init(arguments)
    local four = ffi.new("char[5]")
    for value = 0, 65535 do
        ffi.copy(four, string.format("%04x", value))
        digits[value] = ffi.cast("uint32_t *", four)[0]
    end
    local file = assert(io.open(arguments[1], "rb"))
    for text in file:read("*a"):gmatch("[^%z]+") do
        table.insert(requests, prepare(text))
    end
    file:close()
    ordered = arguments[2] == "ordered"
    replays = tonumber(arguments[3])
    math.randomseed(tonumber(arguments[4]) + thread_number)
    clients = tonumber(arguments[5])
end

local function write_ordered(groups)
    ffi.C.gettimeofday(now, nil)
    local ms = tonumber(now.seconds) * 1000 + math.floor(tonumber(now.microseconds) / 1000)
    if ms > last_ms then
        last_ms, within_ms = ms, 0
    elseif within_ms == 4095 then
        last_ms, within_ms = last_ms + 1, 0
    else
        within_ms = within_ms + 1
    end
    groups[0][0] = digits[math.floor(last_ms / 4294967296)]
    groups[1][0] = digits[math.floor(last_ms / 65536) % 65536]
    groups[2][0] = digits[last_ms % 65536]
    groups[3][0] = digits[0x7000 + within_ms]
end

local function write_random(groups)
    groups[0][0] = digits[random(0, 65535)]
    groups[1][0] = digits[random(0, 65535)]
    groups[2][0] = digits[random(0, 65535)]
    groups[3][0] = digits[0x4000 + random(0, 4095)]
end

function request()
    if replays > 0 and fresh > 0 and random(100) <= replays then
        repeated = repeated + 1
        return recent[random(math.min(fresh, recent_max))]
    end
    turn = turn % #requests + 1
    local next = requests[turn]
    local groups = next.groups
    if ordered then
        write_ordered(groups)
    else
        write_random(groups)
    end
    groups[4][0] = digits[0x8000 + random(0, 16383)]
    groups[5][0] = digits[random(0, 65535)]
    groups[6][0] = digits[random(0, 65535)]
    groups[7][0] = digits[random(0, 65535)]
    fresh = fresh + 1
    if fresh == 1 or fresh == #requests + clients then  -- each client sends when it has its answer
        ffi.C.gettimeofday(now, nil)
        local moment = tonumber(now.seconds) + tonumber(now.microseconds) / 1e6
        began = began or moment
        first_seconds = moment - began
    end
    local text = ffi.string(next.bytes, next.size)
    if replays > 0 and fresh > 0 then
        recent[(fresh - 1) % recent_max + 1] = text
    end
    return text
end

function done(summary, latency)
    local all_fresh, all_repeated, first = 0, 0, 0
    for _, thread in ipairs(threads) do
        all_fresh = all_fresh + thread:get("fresh")
        all_repeated = all_repeated + thread:get("repeated")
        first = math.max(first, thread:get("first_seconds"))
    end
    local errors = summary.errors
    io.write(string.format(
        '\nresult {"answers": %d, "seconds": %.6f, "fresh": %d, "repeated": %d, "not_2xx": %d,'
            .. ' "socket_errors": %d, "timeouts": %d, "p50_ms": %.3f, "p99_ms": %.3f,'
            .. ' "mean_ms": %.3f, "max_ms": %.3f, "first_seconds": %.6f}\n',
        summary.requests, summary.duration / 1e6, all_fresh, all_repeated, errors.status,
        errors.connect + errors.read + errors.write, errors.timeout,
        latency:percentile(50) / 1e3, latency:percentile(99) / 1e3, latency.mean / 1e3,
        latency.max / 1e3, first))
end
