/* The reserve and a restore: marks, fence, and what opening an epoch asks for. reserve-model.md
 * says what each step is in code and SQL; tools/model runs this, and each MUTANT_.
 * Instance 0 issues over the lane and holds a lease, instance 1 registers at any time and holds
 * one.
 * UNSEEN: files are put back in place, and only the marks show it; both journals are in one folder.
 * Else the timeline shows it, and the folders are on two machines. THIRD: an instance elsewhere
 * raises the fence as well. */
#define NUMBERS 4
#define INSTANCES 2
#ifndef CUTS
#define CUTS 1
#endif
#define FRESH 0
#define HELD 1
#define FREE 2
#define ISSUED 3
#define VOIDED 4

typedef database {
    byte state[NUMBERS];
    bool recorded[NUMBERS];      /* has a lease_record */
    byte turn, epoch;
    bool registered[INSTANCES];
    bool has_noted[INSTANCES];   /* that the other one is registered */
    bool fenced
};
database now, backup;
bool backed_up, restored, trouble;

/* --- outside of the database: processes and their journals, flushed --- */
byte mark[INSTANCES], turn_mark[INSTANCES], epoch_of[INSTANCES];
bool knows_other[INSTANCES];
byte lease_of[NUMBERS];          /* GRANT: the instance + 1 */
bool left[NUMBERS];              /* LEFT */
bool took[INSTANCES], closed[INSTANCES];
bool connected[INSTANCES];
byte cuts[INSTANCES];
bool third;                      /* has raised the fence */
bool expired;                    /* lease_time has passed since the old database ended */
bool out[NUMBERS];
byte invariant;
hidden byte n, last;

inline break_promise(number) { invariant = number; assert(invariant != number) }

inline hand_out(number)
{
    if
    :: out[number] -> break_promise(1)
    :: else -> out[number] = true
    fi
}

inline find_state(wanted)
{
    n = 0;
    do
    :: n < NUMBERS && now.state[n] != wanted -> n++
    :: else -> break
    od
}

inline raise_mark(p, end)
{
    if
    :: mark[p] < end -> mark[p] = end
    :: else
    fi;
#ifndef MUTANT_NO_TURN_MARKS
    turn_mark[p] = now.turn
#endif
}

#define NEXT (now.state[0] == FRESH -> 0 : (now.state[1] == FRESH -> 1 : \
    (now.state[2] == FRESH -> 2 : (now.state[3] == FRESH -> 3 : 4))))
#define HAS_NUMBERS (NEXT < NUMBERS || now.state[0] == FREE || now.state[1] == FREE || \
    now.state[2] == FREE || now.state[3] == FREE)
#define BEHIND(q) (epoch_of[q] == now.epoch && (mark[q] > NEXT || turn_mark[q] > now.turn))
#ifdef UNSEEN
#define IS_BEHIND(p) (BEHIND(0) || BEHIND(1))
#else
#define IS_BEHIND(p) BEHIND(p)
#endif
#define ISSUES(p) (connected[p] && now.registered[p] && !trouble)
#ifdef MUTANT_FENCED_ISSUES
#define MAY_ISSUE(p) ISSUES(p)
#else
#define MAY_ISSUE(p) (ISSUES(p) && !now.fenced)
#endif
#ifdef MUTANT_TAKE_UNNOTED
#define IS_NOTED(p) true
#else
#define IS_NOTED(p) (!now.registered[1 - p] || now.has_noted[1 - p])
#endif
#define UNSETTLED(p, i) (lease_of[i] == p + 1 && left[i] && !now.recorded[i])
#define HAS_UNSETTLED(p) (UNSETTLED(p, 0) || UNSETTLED(p, 1) || UNSETTLED(p, 2) || UNSETTLED(p, 3))
#define MAY_DRAW(p, i) (!connected[p] && lease_of[i] == p + 1 && !left[i] && !closed[p] && !expired)

inline issued_while_fenced()
{
    if
    :: now.fenced -> break_promise(7)
    :: else
    fi
}

inline issue(p)
{
    issued_while_fenced();
    find_state(FREE);
    if
    :: n < NUMBERS -> now.turn++
    :: else -> find_state(FRESH)
    fi;
    if
    :: n < NUMBERS -> now.state[n] = ISSUED; hand_out(n); raise_mark(p, n + 1)
    :: else
    fi;
    n = 0
}

/* Two numbers, and one. GRANT and the mark of its end are flushed before any is drawn. */
inline take(p)
{
    took[p] = true; find_state(FRESH); last = n + 2 - p;
    do
    :: n < NUMBERS && n < last -> now.state[n] = HELD; lease_of[n] = p + 1; n++
    :: else -> break
    od;
    raise_mark(p, n); n = 0; last = 0
}

inline settle(p)
{
    issued_while_fenced(); n = 0;
    do
    :: n < NUMBERS ->
        if
        :: UNSETTLED(p, n) && (now.state[n] == HELD || now.state[n] == VOIDED) ->
            now.state[n] = ISSUED; now.recorded[n] = true; now.turn++
        :: UNSETTLED(p, n) && now.state[n] != HELD && now.state[n] != VOIDED -> now.fenced = true
        :: else
        fi;
        n++
    :: else -> break
    od;
    n = 0; raise_mark(p, 0)
}

inline give_back(p)
{
    closed[p] = true; n = 0;
    do
    :: n < NUMBERS ->
        if
        :: lease_of[n] == p + 1 && now.state[n] == HELD -> now.state[n] = FREE
        :: else
        fi;
        n++
    :: else -> break
    od;
    n = 0
}

inline connect(p)  /* the gatekeeper */
{
    if
    :: IS_BEHIND(p) -> now.fenced = true
    :: else ->
        connected[p] = true;
        if
        :: epoch_of[p] != now.epoch ->
            epoch_of[p] = now.epoch; mark[p] = 0; turn_mark[p] = 0; raise_mark(p, NEXT)
        :: else
        fi
    fi
}

#define CAN_CONNECT(p) (!connected[p] && !trouble && !now.fenced)
proctype instance(byte p)
{
end:
    do
    :: d_step { CAN_CONNECT(p) -> connect(p) }
    :: d_step { connected[p] && !trouble && !now.registered[p] ->  /* lease_claim */
        now.registered[p] = true; knows_other[p] = (knows_other[p] || now.registered[1 - p]) }
    :: d_step { ISSUES(p) && now.registered[1 - p] && !now.has_noted[p] ->
        knows_other[p] = true; now.has_noted[p] = true }  /* lease_renew, and the one after */
    :: d_step { MAY_ISSUE(p) && p == 0 && HAS_NUMBERS -> issue(p) }
    :: d_step { MAY_ISSUE(p) && !took[p] && NEXT < NUMBERS && IS_NOTED(p) -> take(p) }
    :: d_step { MAY_ISSUE(p) && HAS_UNSETTLED(p) -> settle(p) }
    :: d_step { MAY_ISSUE(p) && took[p] && !closed[p] && !HAS_UNSETTLED(p) -> give_back(p) }
    :: d_step { MAY_DRAW(p, 0) -> left[0] = true; hand_out(0) }
    :: d_step { MAY_DRAW(p, 1) -> left[1] = true; hand_out(1) }
    :: d_step { MAY_DRAW(p, 2) -> left[2] = true; hand_out(2) }
    :: d_step { MAY_DRAW(p, 3) -> left[3] = true; hand_out(3) }
    od
}

/* --- the operator --- */
#define HAS_ALL(a, b) ((!now.registered[0] || a) && (!now.registered[1] || b))
#define KNOWS_ALL(a, b) ((!(a) || !knows_other[0] || b) && (!(b) || !knows_other[1] || a))
#if defined(MUTANT_OPEN_WITHOUT_GUARD)
#define GUARD(a, b) true
#elif defined(MUTANT_OPEN_BY_TIME)
#define GUARD(a, b) ((HAS_ALL(a, b) && KNOWS_ALL(a, b) && (a || b)) || expired)
#elif defined(MUTANT_OPEN_BY_DATABASE_LIST)
#define GUARD(a, b) (HAS_ALL(a, b) && (a || b))
#else
#define GUARD(a, b) (HAS_ALL(a, b) && KNOWS_ALL(a, b) && (a || b))
#endif

inline open_epoch(a, b)  /* epoch reconcile and epoch open, with the journals at hand */
{
    last = (a && mark[0] > mark[1] * (b) -> mark[0] : mark[1] * (b)); n = 0;
    do
    :: n < NUMBERS ->
        if
        :: now.state[n] == HELD || now.state[n] == FREE || (now.state[n] == FRESH && n < last) ->
            now.state[n] = VOIDED
        :: else
        fi;
        n++
    :: else -> break
    od;
    n = 0; last = 0; now.epoch++; now.fenced = false; trouble = false;
    connected[0] = false; connected[1] = false
}

inline copy_database(to, from)
{
    n = 0;
    do
    :: n < NUMBERS -> to.state[n] = from.state[n]; to.recorded[n] = from.recorded[n]; n++
    :: else -> break
    od;
    n = 0; to.turn = from.turn; to.epoch = from.epoch; to.fenced = from.fenced;
    to.registered[0] = from.registered[0]; to.registered[1] = from.registered[1];
    to.has_noted[0] = from.has_noted[0]; to.has_noted[1] = from.has_noted[1]
}

#define CUT(p) d_step { connected[p] && cuts[p] < CUTS -> cuts[p]++; connected[p] = false }
#define STOPPED (trouble || now.fenced)
proctype world()
{
end:
    do
    :: CUT(0)
    :: CUT(1)
    :: d_step { !backed_up -> backed_up = true; copy_database(backup, now) }
    :: d_step { backed_up && !restored -> restored = true; copy_database(now, backup);
#ifndef UNSEEN
        trouble = true;
#endif
        connected[0] = false; connected[1] = false }
#ifdef THIRD
    :: d_step { restored && !third && !STOPPED -> third = true; now.fenced = true }
#endif
#ifdef MUTANT_OPEN_BY_TIME
    :: d_step { restored && !expired -> expired = true }
#endif
    :: d_step { restored && STOPPED && GUARD(true, false) -> open_epoch(true, false) }
    :: d_step { restored && STOPPED && GUARD(false, true) -> open_epoch(false, true) }
    :: d_step { restored && STOPPED && GUARD(true, true) -> open_epoch(true, true) }
    od
}

#define LOST(i) (out[i] && now.state[i] != ISSUED && now.state[i] != VOIDED)
#define NOT_SETTLED(i) (left[i] && now.state[i] != ISSUED)
proctype monitor()
{
end:
    do
    :: d_step { !restored && now.fenced -> break_promise(9) }  /* raised for nothing */
    :: timeout ->
        d_step {
            if
            :: NOT_SETTLED(0) || NOT_SETTLED(1) || NOT_SETTLED(2) || NOT_SETTLED(3) ->
                break_promise(11)
            :: LOST(0) || LOST(1) || LOST(2) || LOST(3) -> break_promise(2)
            :: else
            fi
        };
        break
    od
}

init
{
    d_step { now.registered[0] = true; connected[0] = true };
    atomic { run instance(0); run instance(1); run world(); run monitor() }
}
