/* The reserve: two instances, a copy of the first one's journal, a database that is never put back.
 * reserve-model.md says what each step is in code and SQL; tools/model runs this, and each MUTANT_.
 * Restores are in restore.pml. A step is atomic where code or SQL is: a transaction, a write, a
 * flush, an answer; everything may happen between two steps. */
#define NUMBERS 4
#define KEYS 2
#define HOLDERS 3  /* 0 and 1: instances; 2: started on a copy of the journal of 0 */
#define LEASES 3   /* ids that are ever given; 0 is none; 1 and 2 are taken at the beginning */
#define COPY 2
/* How often each of these may happen. */
#ifndef CUTS      /* of the link of the first instance */
#define CUTS 1
#endif
#ifndef CUTS_OF_1
#define CUTS_OF_1 1
#endif
#ifndef CRASHES   /* of the first instance: its process dies, or its machine loses power */
#define CRASHES 1
#endif
#ifndef COPIES    /* of the first instance's journal */
#define COPIES 1
#endif
#ifndef STRANGERS /* acts of somebody with the role of the service, who knows all ids and no secret */
#define STRANGERS 1
#endif
#ifndef WRITE_OFFS
#define WRITE_OFFS 1
#endif
#ifndef FAILURES  /* of a flush of the first instance */
#define FAILURES 1
#endif
#ifndef STANDBYS  /* how often the standby that each COMMIT waits for goes away */
#define STANDBYS 0
#endif

/* A number in the database. */
#define FRESH 0
#define HELD 1
#define FREE 2
#define ISSUED 3
#define VOIDED 4
/* A lease in the database, and the stage of one in a journal. */
#define NONE 0
#define OPEN 1
#define CLOSED 2
#define LOST 3
#define INTENT 1
#define GRANT 2
#define ENDED 3  /* the record CLOSED */
/* A key at a running process. */
#define UNKNOWN 0
#define DOUBT 1
#define WRITTEN 2
#define ANSWERED 3
/* Phases of a holder: what it waits for. */
#define START 0  /* for a connection */
#define CLAIMS 1
#define SETTLES 2
#define RETURNS 3
#define TAKES 4
#define READY 5    /* for requests: the lane is open */
#define SETTLED 6  /* for nothing more: a copy */
#define ASKS 7     /* + key: over the lane */

#define DERIVED 8  /* + key: the row of a key that was spent when its record was settled */

/* --- the database --- */
byte state[NUMBERS];
byte lease_of[NUMBERS];   /* never changes again */
byte key_row[NUMBERS];    /* 0, key + 1, or DERIVED + key + 1 */
byte record[NUMBERS];     /* lease_record: the client's key + 1 */
byte lane_of[NUMBERS];    /* issued over the lane by this process + 1, while it runs */
bool written_off[NUMBERS];
byte status[LEASES + 1];
byte incarnation[2] = 1;
byte claim_of[2];
bool fenced;

/* --- journals: as the page cache has them, and as the disk has them --- */
typedef journal {
    byte lease; byte stage; byte left_with[KEYS];  /* the key's number + 1 */
    byte incarnation; byte claim;                  /* claim: an id whose answer was not read yet */
    bool secret;                                   /* proves the instance; a copy has it, too */
    bool other_boot                                /* the lease was taken before this boot */
};
journal cache[HOLDERS];
journal disk[HOLDERS];

/* --- the processes --- */
bool up[HOLDERS];
bool net[HOLDERS];
byte phase[HOLDERS];
byte mine[HOLDERS];      /* the lease that this very process took; nothing else is drawn */
bool sick[HOLDERS];      /* a flush has failed */
bool is_copy[HOLDERS];   /* device or inode are not those of the header */
bool stale[HOLDERS];     /* settles only */
typedef keys { byte key[KEYS] };
keys known[HOLDERS];
/* The transaction of the first instance whose client is gone: the server may still do it. */
byte late, late_first, late_second;

/* --- the world --- */
byte out[NUMBERS];  /* the key + 1 under which a client has the number */
byte leases;
byte claims;
byte cuts[HOLDERS];
byte crashes;
bool copied, started, calm;
byte write_offs, failures, strangers;
bool away;          /* the standby: no transaction ends, and what is sent waits with its locks */
byte standbys;
bool disturbed;     /* power, copies and sick disks leave a rest that an operator writes off */
byte invariant;     /* the number of what is broken */
bool expired[LEASES + 1];  /* draw_until has passed: only where something depends on it */
hidden byte n, m;   /* within a step only */
hidden byte first, second, says;  /* of a transaction: what it is given, what it answers */
hidden byte proof;  /* … whether it is given the secret */

#define EACH(is) (is(0) && is(1) && is(2) && is(3))
#define SOME(is) (is(0) || is(1) || is(2) || is(3))
#define AVAILABLE(n) (state[n] == FREE || state[n] == FRESH)
#define IS_SPENT(k) (key_row[0] == (k) + 1 || key_row[1] == (k) + 1 || \
    key_row[2] == (k) + 1 || key_row[3] == (k) + 1)
#define INSTANCE(p) ((p) == COPY -> 0 : (p))
#define IS_LEFT(p, n) (cache[p].left_with[0] == (n) + 1 || cache[p].left_with[1] == (n) + 1)
#define HAS_LEFT(p) (cache[p].left_with[0] != 0 || cache[p].left_with[1] != 0)
#define LEFTABLE(p, n) (lease_of[n] == mine[p] && !IS_LEFT(p, n))
#define HAS_REST(p) (LEFTABLE(p, 0) || LEFTABLE(p, 1) || LEFTABLE(p, 2) || LEFTABLE(p, 3))
#define HAS_FRESH (state[NUMBERS - 1] == FRESH)
#ifdef MUTANT_DRAWS_AFTER_FAILED_FLUSH
#define HEALTHY(p) true
#else
#define HEALTHY(p) (!sick[p])
#endif
#define MAY_DRAW(p) (up[p] && (!net[p] || away) && mine[p] != 0 && cache[p].lease == mine[p] \
    && cache[p].stage == GRANT && HEALTHY(p) && !expired[mine[p]])
#ifdef MUTANT_DRAW_FOR_WHAT_WAITS
#define IS_ASKED(p, k) false
#else
#define IS_ASKED(p, k) (phase[p] == ASKS + k)  /* its COMMIT may wait for the standby */
#endif
#ifdef MUTANT_DRAW_IN_DOUBT
#define MAY_BE_DRAWN_FOR(p, k) (known[p].key[k] <= DOUBT)
#else
#define MAY_BE_DRAWN_FOR(p, k) (known[p].key[k] == UNKNOWN && !IS_ASKED(p, k))
#endif

inline copy_journal(to, from)
{
    to.lease = from.lease; to.stage = from.stage;
    to.left_with[0] = from.left_with[0]; to.left_with[1] = from.left_with[1];
    to.incarnation = from.incarnation; to.claim = from.claim; to.secret = from.secret;
    to.other_boot = from.other_boot
}

inline flush(p) { copy_journal(disk[p], cache[p]) }

inline break_promise(number) { invariant = number; assert(invariant != number) }

inline forget_lease(p)
{
    cache[p].lease = 0; cache[p].stage = NONE; cache[p].other_boot = false;
    cache[p].left_with[0] = 0; cache[p].left_with[1] = 0; mine[p] = 0
}

/* A client gets a number: (1). */
inline answer(n, k)
{
    if
    :: out[n] != 0 && out[n] != (k) + 1 -> break_promise(1)
    :: else -> out[n] = (k) + 1
    fi
}

inline find_row(k)  /* n: the number issued under this key, or NUMBERS */
{
    n = 0;
    do
    :: n < NUMBERS && key_row[n] != (k) + 1 -> n++
    :: else -> break
    od
}

inline find_state(wanted)  /* n: the lowest number in this state, or NUMBERS */
{
    n = 0;
    do
    :: n < NUMBERS && state[n] != wanted -> n++
    :: else -> break
    od
}

/* --- transactions --- */
inline do_claim(p)
{
    if
#ifdef MUTANT_CLAIM_WITHOUT_INCARNATION
    :: true ->
#else
    :: first == incarnation[INSTANCE(p)] ->
#endif
        incarnation[INSTANCE(p)]++; claim_of[INSTANCE(p)] = second;
        says = incarnation[INSTANCE(p)]
    :: else ->
        if
#ifndef MUTANT_CLAIM_NOT_REPEATABLE
        :: claim_of[INSTANCE(p)] == second -> says = incarnation[INSTANCE(p)]
#endif
        :: else -> says = 0
        fi
    fi
}

inline settle_one(k, number)
{
    if
    :: number != 0 ->
        m = number - 1;
        if
#ifdef MUTANT_SETTLE_COMPARES_LEDGER_KEY
        :: key_row[m] == (k) + 1
#else
        :: record[m] == (k) + 1
#endif
        :: else ->
            if
            :: state[m] == HELD || (state[m] == VOIDED && written_off[m]) ->
                find_row(k);
                state[m] = ISSUED; record[m] = (k) + 1;
#ifdef MUTANT_SPENT_KEY_AGAIN
                key_row[m] = (k) + 1
#else
                key_row[m] = (n == NUMBERS -> (k) + 1 : DERIVED + (k) + 1)
#endif
            :: else -> fenced = true
            fi
        fi
    :: else
    fi
}

inline end_held(l, next)  /* what is still held by a lease */
{
    m = 0;
    do
    :: m < NUMBERS ->
        if
        :: lease_of[m] == l && state[m] == HELD -> state[m] = next
        :: else
        fi;
        m++
    :: else -> break
    od
}

inline do_return(p)
{
    if
#ifdef MUTANT_RETURN_WITHOUT_INCARNATION
    :: status[first] == OPEN ->
#else
    :: status[first] == OPEN && second == incarnation[INSTANCE(p)] ->
#endif
        end_held(first, FREE); status[first] = CLOSED
    :: else
    fi;
    says = (second == incarnation[INSTANCE(p)])
}

inline do_take(p)
{
    if
#ifndef MUTANT_TAKE_WITHOUT_INCARNATION
    :: second != incarnation[INSTANCE(p)] -> says = 2
#endif
    :: else ->
        if
        :: status[first] == NONE ->
            find_state(FRESH); m = n;
            do  /* two numbers for the first instance, one for the others */
            :: m < NUMBERS && m < n + (p == 0 -> 2 : 1) ->
                state[m] = HELD; lease_of[m] = first; status[first] = OPEN; m++
            :: else -> break
            od
        :: else
        fi;
        says = (status[first] == OPEN)
    fi
}

inline do_issue(p)
{
    find_row(first);
    if
    :: n == NUMBERS ->
        find_state(FREE);
        if
        :: n == NUMBERS -> find_state(FRESH)
        :: else
        fi;
        if
        :: n < NUMBERS -> state[n] = ISSUED; key_row[n] = first + 1; lane_of[n] = second
        :: else
        fi
    :: else
    fi;
    says = (n == NUMBERS -> 0 : n + 1)
}

#ifdef MUTANT_NO_SECRET
#define PROVEN true
#else
#define PROVEN proof
#endif

inline execute(p, what)
{
    n = 0; m = 0; says = 0;
    if
    :: what < ASKS && !PROVEN
    :: what == CLAIMS && PROVEN -> do_claim(p)
    :: what == SETTLES && PROVEN -> settle_one(0, first); settle_one(1, second)
    :: what == RETURNS && PROVEN -> do_return(p)
    :: what == TAKES && PROVEN -> do_take(p)
    :: what >= ASKS -> do_issue(p)
    fi;
    n = 0; m = 0
}

inline give(p)  /* what the transaction that is waited for is given */
{
    proof = cache[p].secret;
    if
    :: phase[p] == CLAIMS -> first = cache[p].incarnation; second = cache[p].claim
    :: phase[p] == SETTLES -> first = cache[p].left_with[0]; second = cache[p].left_with[1]
    :: phase[p] == RETURNS || phase[p] == TAKES ->
        first = cache[p].lease; second = cache[p].incarnation
    :: phase[p] >= ASKS -> first = phase[p] - ASKS; second = p + 1
    fi
}

/* The client does not learn what became of its transaction: never done, done, done later. */
#define NEVER 0
#define DONE 1
#define LATER 2
inline abandon(p, becomes)
{
    if
    :: becomes != NEVER ->
        give(p);
        if
        :: becomes == DONE -> execute(p, phase[p])
        :: else -> late = phase[p]; late_first = first; late_second = second
        fi
    :: else
    fi;
    if
    :: phase[p] >= ASKS -> known[p].key[phase[p] - ASKS] = DOUBT
    :: else
    fi;
    first = 0; second = 0; says = 0;
    phase[p] = START
}

inline die(p, becomes)
{
    abandon(p, becomes);
    if
    :: late >= ASKS -> late_second = 0
    :: else
    fi;
    up[p] = false; mine[p] = 0; sick[p] = false; stale[p] = false;
    known[p].key[0] = UNKNOWN; known[p].key[1] = UNKNOWN;
    n = 0;
    do
    :: n < NUMBERS ->
        if
        :: lane_of[n] == p + 1 -> lane_of[n] = 0
        :: else
        fi;
        n++
    :: else -> break
    od;
    n = 0
}

inline draw(p, k)
{
    n = 0;
    do
    :: !LEFTABLE(p, n) -> n++
    :: else -> break
    od;
    if
    :: status[mine[p]] == CLOSED -> break_promise(5)
    :: else
    fi;
    cache[p].left_with[k] = n + 1; n = 0;
    known[p].key[k] = WRITTEN
}

/* One flush for the group, then its answers. A crash between them is one of which the disk keeps
 * everything that was written. */
inline answer_group(p, k)
{
    if
    :: known[p].key[k] == WRITTEN ->
        answer(cache[p].left_with[k] - 1, k); known[p].key[k] = ANSWERED
    :: else
    fi
}

#ifdef MUTANT_FORGET_DOUBTS
inline forget_doubt(p, k)
{
    if
    :: known[p].key[k] == DOUBT -> known[p].key[k] = UNKNOWN
    :: else
    fi
}
#endif

#if defined(MUTANT_OTHER_BOOT_RETURNS)
#define RETURNS_INHERITED(p) true
#elif defined(MUTANT_OTHER_BOOT_RETURNS_LATE)
#define RETURNS_INHERITED(p) (!cache[p].other_boot || expired[cache[p].lease])
#else
#define RETURNS_INHERITED(p) (!cache[p].other_boot)
#endif

/* --- a holder --- */
#define REQUESTS(k, here) \
    :: d_step { here && MAY_DRAW(p) && !calm && MAY_BE_DRAWN_FOR(p, k) && HAS_REST(p) -> \
        draw(p, k) } \
    :: d_step { here && AT(READY) && p != COPY && !calm && known[p].key[k] <= DOUBT && \
        (SOME(AVAILABLE) || IS_SPENT(k)) -> \
        phase[p] = ASKS + k }
#define IS_GROUP(p) (known[p].key[0] == WRITTEN || known[p].key[1] == WRITTEN)
#define AT(where) (up[p] && net[p] && phase[p] == where)

inline open_journal(p)
{
    up[p] = true;
#ifdef MUTANT_DRAW_WITHOUT_CLAIM
    if
    :: cache[p].stage == GRANT && !is_copy[p] -> mine[p] = cache[p].lease
    :: else
    fi;
#endif
#ifndef MUTANT_OPEN_WITHOUT_FLUSH
    copy_journal(disk[p], cache[p])
#endif
}

inline begin_claim(p)
{
    if
    :: sick[p] || is_copy[p] -> stale[p] = true; begin_settle(p)
    :: else ->
        if
        :: cache[p].claim == 0 -> claims++; cache[p].claim = claims; flush(p)
#ifdef MUTANT_CLAIM_NOT_FLUSHED
            ; disk[p].claim = 0
#endif
        :: else  /* repeated with the same id: the disk has it, since it was opened */
        fi;
        phase[p] = CLAIMS
    fi
}

inline end_claim(p)
{
    if
    :: says != 0 -> cache[p].incarnation = says; cache[p].claim = 0
    :: else ->
        stale[p] = true;
        if
        :: !started -> break_promise(9)  /* taken for a copy, and there is none */
        :: else
        fi
    fi;
    begin_settle(p)
}

inline begin_settle(p)
{
    if
#ifdef MUTANT_RETURN_BEFORE_SETTLE
    :: !stale[p] -> go_on(p)
#endif
    :: HAS_LEFT(p) ->
        phase[p] = SETTLES
    :: else -> go_on(p)
    fi
}

inline open_lane(p)  /* only an answer ends a doubt */
{
#ifdef MUTANT_FORGET_DOUBTS
    forget_doubt(p, 0); forget_doubt(p, 1);
#endif
    phase[p] = READY
}

inline end_lease(p)
{
#ifndef MUTANT_RETURN_BEFORE_CLOSED
    cache[p].stage = ENDED; flush(p);
#endif
    phase[p] = RETURNS
}

inline begin_take(p)
{
    forget_lease(p);
    if
    :: !calm && HAS_FRESH && leases < LEASES ->
        leases++; cache[p].lease = leases; cache[p].stage = INTENT; flush(p);
        phase[p] = TAKES
    :: else -> open_lane(p)
    fi
}

inline go_on(p)  /* with what was settled */
{
    if
    :: stale[p] -> mine[p] = 0; phase[p] = SETTLED
    :: !stale[p] && cache[p].lease == 0 -> begin_take(p)
    :: !stale[p] && cache[p].lease != 0 && mine[p] == cache[p].lease && cache[p].stage == GRANT ->
        open_lane(p)
    :: else ->
        if
        :: mine[p] == cache[p].lease || RETURNS_INHERITED(p) -> end_lease(p)
        :: else -> begin_take(p)
        fi
    fi
}

inline end_take(p)
{
    if
    :: says == 1 -> cache[p].stage = GRANT; flush(p); mine[p] = cache[p].lease
    :: says == 0 -> forget_lease(p)
    :: else -> forget_lease(p); stale[p] = true
    fi;
    open_lane(p);
    if
    :: stale[p] -> phase[p] = SETTLED
    :: else
    fi
}

inline end_issue(p)
{
    if
    :: says != 0 ->
        answer(says - 1, phase[p] - ASKS); known[p].key[phase[p] - ASKS] = ANSWERED
    :: else
    fi;
    phase[p] = READY
}

inline go_on_with_answer(p)
{
    if
    :: phase[p] == CLAIMS -> end_claim(p)
    :: phase[p] == SETTLES -> go_on(p)
    :: phase[p] == RETURNS -> begin_take(p)
    :: phase[p] == TAKES -> end_take(p)
    :: phase[p] >= ASKS -> end_issue(p)
    fi
}

#define IS_UNSETTLED(p, n) (IS_LEFT(p, n) && record[n] == 0)
#ifdef MUTANT_RETURN_UNSETTLED
#define UNSETTLED(p) false
#else
#define UNSETTLED(p) (IS_UNSETTLED(p, 0) || IS_UNSETTLED(p, 1) || IS_UNSETTLED(p, 2) || \
    IS_UNSETTLED(p, 3))
#endif
#define WAITS(p) (phase[p] != START && phase[p] != READY && phase[p] != SETTLED)
proctype holder(byte p)
{
end:
    do
    REQUESTS(0, true)
    REQUESTS(1, p == 0)  /* one key at both instances, the other one at the first */
    :: d_step { up[p] && !sick[p] && IS_GROUP(p) ->
#ifndef MUTANT_ANSWER_BEFORE_FLUSH
        flush(p);
#endif
        answer_group(p, 0); answer_group(p, 1) }
    /* the way back: claim, settle, return, take, lane */
    :: d_step { AT(START) && !IS_GROUP(p) -> begin_claim(p) }
    :: d_step { up[p] && net[p] && !away && WAITS(p) ->
        give(p); execute(p, phase[p]); go_on_with_answer(p); first = 0; second = 0; says = 0 }
    /* drawn while the standby was away, and never cut */
    :: d_step { AT(READY) && !away && !IS_GROUP(p) && UNSETTLED(p) -> phase[p] = SETTLES }
    :: d_step { AT(READY) && mine[p] != 0 && (calm || p == 0) && !IS_GROUP(p) && !UNSETTLED(p) ->
        end_lease(p) }  /* top-up, stop */
    /* another one's COMMIT waits and has the series locked: the request did not happen */
    :: d_step { up[p] && net[p] && away && phase[p] >= ASKS -> phase[p] = READY }
    od
}

/* --- what happens to them --- */
/* With a standby only connections that wait for it: one fault after the other is left out. */
#define MAY_CUT(p) (!calm && up[p] && net[p] && phase[p] != SETTLED && (STANDBYS == 0 || away) && \
    cuts[p] < (p == 0 -> CUTS : CUTS_OF_1))
#define CUT(p, becomes) cuts[p]++; net[p] = false; abandon(p, becomes)
#define MAY_CRASH (!calm && up[0] && crashes < CRASHES)
#define HEAL(p) :: d_step { !net[p] && (p != COPY || started) -> net[p] = true }
#define EXPIRE(l) :: d_step { !calm && !expired[l] && status[l] == OPEN \
    && (mine[0] != l || !net[0]) && (mine[1] != l || !net[1]) && (mine[2] != l || !net[2]) \
    -> expired[l] = true }
/* For the first instance, as far as whoever lacks its secret can be. */
#define STRANGER(what, one, other) \
    :: d_step { !calm && strangers < STRANGERS -> \
        strangers++; first = one; second = other; proof = false; execute(0, what); \
        first = 0; second = 0; says = 0 }
#define WRITE_OFF(l) \
    :: d_step { !calm && write_offs < WRITE_OFFS && status[l] == OPEN -> write_off(l) }

inline write_off(l)
{
    write_offs++; status[l] = LOST; n = 0;
    do
    :: n < NUMBERS ->
        if
        :: lease_of[n] == l && state[n] == HELD -> written_off[n] = true
        :: else
        fi;
        n++
    :: else -> break
    od;
    n = 0;
#ifdef MUTANT_WRITE_OFF_FREES
    end_held(l, FREE);
#else
    end_held(l, VOIDED);
#endif
    m = 0
}

inline lose_power(becomes)
{
    die(0, becomes); disturbed = true;
    cache[0].other_boot = (cache[0].lease != 0); disk[0].other_boot = (disk[0].lease != 0)
}

/* A copy of the file: another inode. A copy of the disk, or the disk put back: as after a reboot.
 * A copy in the file's place: only its incarnation shows it, once the next one was claimed. */
inline start_copy()
{
    started = true; disturbed = true; open_journal(COPY)
}

inline do_late()
{
    first = late_first; second = late_second; proof = true; execute(0, late);
    late = 0; late_first = 0; late_second = 0; first = 0; second = 0; says = 0
}

proctype world()
{
end:
    do
    :: d_step { late != 0 && !away -> do_late() }
    :: d_step { MAY_CUT(0) -> CUT(0, NEVER) }
    :: d_step { MAY_CUT(0) && !away && WAITS(0) -> CUT(0, DONE) }
    :: d_step { MAY_CUT(0) && WAITS(0) && late == 0 -> CUT(0, LATER) }
    :: d_step { MAY_CUT(1) -> CUT(1, NEVER) }
    :: d_step { MAY_CUT(1) && !away && WAITS(1) -> CUT(1, DONE) }
    :: d_step { !calm && standbys < STANDBYS -> standbys++; away = true }
    :: d_step { away -> away = false;  /* what waits longest ends first */
        if
        :: late != 0 -> do_late()
        :: else
        fi }
    HEAL(0)
    HEAL(1)
    HEAL(2)
    WRITE_OFF(1)
    STRANGER(CLAIMS, incarnation[0], 0)
    STRANGER(SETTLES, 0, 1)  /* the first number, for the second key */
    STRANGER(RETURNS, 1, incarnation[0])
#ifdef MUTANT_OTHER_BOOT_RETURNS_LATE
    EXPIRE(1)
    EXPIRE(2)
#endif
    :: d_step { MAY_CRASH -> crashes++; die(0, NEVER) }
    :: d_step { MAY_CRASH && !away && WAITS(0) -> crashes++; die(0, DONE) }
    :: d_step { MAY_CRASH && WAITS(0) && late == 0 -> crashes++; die(0, LATER) }
    :: d_step { MAY_CRASH && net[0] && phase[0] == START && cache[0].claim == 0 ->
        claims++;  /* is written, not flushed */
        cache[0].claim = claims; crashes++; die(0, NEVER) }
    :: d_step { MAY_CRASH -> crashes++; lose_power(NEVER); copy_journal(cache[0], disk[0]) }
    :: d_step { MAY_CRASH && !away && WAITS(0) -> crashes++; lose_power(DONE);
        copy_journal(cache[0], disk[0]) }
    :: d_step { MAY_CRASH -> crashes++; lose_power(NEVER); flush(0) }  /* nothing was lost */
    :: d_step { !up[0] -> open_journal(0) }
    :: d_step { !calm && up[0] && !sick[0] && IS_GROUP(0) && failures < FAILURES ->
        failures++;
        sick[0] = true; disturbed = true; n = 0;
        do
        :: n < KEYS ->
            if
            :: known[0].key[n] == WRITTEN -> known[0].key[n] = DOUBT
            :: else
            fi;
            n++
        :: else -> break
        od;
        n = 0 }
#if COPIES > 0
    :: d_step { !calm && !copied -> copied = true; copy_journal(cache[COPY], cache[0]);
        copy_journal(disk[COPY], cache[0]) }
    :: d_step { !calm && !copied -> copied = true; copy_journal(cache[COPY], disk[0]);
        copy_journal(disk[COPY], disk[0]) }
    :: d_step { !calm && copied && !started ->
#ifndef MUTANT_COPY_RETURNS
        is_copy[COPY] = true;
#endif
        start_copy() }
    :: d_step { !calm && copied && !started ->
        cache[COPY].other_boot = (cache[COPY].lease != 0); start_copy() }
    :: d_step { !calm && copied && !started && cache[COPY].claim == 0 &&
        incarnation[0] > cache[COPY].incarnation -> start_copy() }
#endif
    :: d_step { !calm -> calm = true }
    od
}

/* --- the invariants --- */
#define IN_DISK(p, n, k) (disk[p].left_with[k] == (n) + 1)
#define IN_A_JOURNAL(n, k) (IN_DISK(0, n, k) || IN_DISK(1, n, k) || IN_DISK(2, n, k))
#define IN_DATABASE(n) (state[n] == ISSUED \
    && (key_row[n] == out[n] || key_row[n] == DERIVED + out[n]))
#define IS_KEPT(n) (out[n] == 0 || IN_DATABASE(n) || IN_A_JOURNAL(n, out[n] - 1))
#define IS_TWICE(a, b) (key_row[a] != 0 && key_row[a] < DERIVED && key_row[a] == key_row[b])
#define HOLD_BOTH(p, q) (mine[p] != 0 && mine[p] == mine[q])
#define DRAWN_IN_DOUBT(p, n) (lane_of[n] == p + 1 && mine[p] != 0 \
    && cache[p].lease == mine[p] && cache[p].left_with[key_row[n] - 1] != 0)
#define OUT_AND_AVAILABLE(n) (AVAILABLE(n) && out[n] != 0)
#define WITHOUT_KEY(n) (state[n] == ISSUED && key_row[n] == 0)
#define FREED_THOUGH_WRITTEN_OFF(n) (written_off[n] && AVAILABLE(n))
#define IN_DOUBT_TWICE(n) (DRAWN_IN_DOUBT(0, n) || DRAWN_IN_DOUBT(1, n))
#define NOT_ISSUED(n) (out[n] != 0 && state[n] != ISSUED)
#define STILL_HELD(n) (state[n] == HELD)

proctype monitor()
{
end:
    do
    :: d_step { SOME(OUT_AND_AVAILABLE) -> break_promise(2) }
    :: d_step { !EACH(IS_KEPT) -> break_promise(3) }
    :: d_step { HOLD_BOTH(0, 1) || HOLD_BOTH(0, 2) || HOLD_BOTH(1, 2) -> break_promise(4) }
    :: d_step { IS_TWICE(0, 1) || IS_TWICE(0, 2) || IS_TWICE(0, 3) || IS_TWICE(1, 2) ||
        IS_TWICE(1, 3) || IS_TWICE(2, 3) || SOME(WITHOUT_KEY) -> break_promise(6) }
    :: d_step { fenced -> break_promise(7) }  /* nothing was put back, so nobody may raise it */
    :: d_step { SOME(FREED_THOUGH_WRITTEN_OFF) -> break_promise(8) }
    :: d_step { SOME(IN_DOUBT_TWICE) -> break_promise(10) }
    :: timeout ->
        d_step {
            if
            :: SOME(NOT_ISSUED) -> break_promise(11)
            :: SOME(STILL_HELD) && !disturbed -> break_promise(12)
            :: else
            fi
        };
        break
    od
}

inline begin(p, l)
{
    up[p] = true; net[p] = true; phase[p] = READY; mine[p] = l; status[l] = OPEN;
    cache[p].incarnation = 1; cache[p].lease = l; cache[p].stage = GRANT; claim_of[p] = l;
    cache[p].secret = true;
    flush(p)
}

init
{
    d_step {
        /* Both have claimed and taken a lease: two numbers and one; one is fresh. */
        begin(0, 1); begin(1, 2); leases = 2; claims = 2;
        state[0] = HELD; state[1] = HELD; state[2] = HELD;
        lease_of[0] = 1; lease_of[1] = 1; lease_of[2] = 2
    };
    atomic { run holder(0); run holder(1); run holder(2); run world(); run monitor() }
}
