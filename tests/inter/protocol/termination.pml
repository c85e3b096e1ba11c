// Termination as a whole: nodes that steal, prefetch, serve lifelines, fail, vote, drain and leave,
// and in each node the workers, their deques and the barrier. check_model.sh beside this file runs
// it; a table in inter/protocol/README.md says which function each part stands for.
//
// Checked in all states that can be reached:
//
//   idle_is_true       at an idle verdict the node has no bag and no chunk (unless it failed)
//   end_is_true        when success is decided there is no bag, no chunk, no loot and no failure
//                      anywhere, and as many tasks were done as there were
//   nobody_is_gone     no message is sent to a node that is done
//   nothing_is_coming  none is under way to or from a node when it is done
//   one_loot           at most one loot is under way on a lifeline
//   room               a slot is free when something is put there
//
// and that all nodes are done where nothing can happen any more. With LIVE: there is no cycle of
// states, but for rounds that begin again while loot is under way, which ends when it arrives.
//
// What keeps it small. Each of these allows what the code does, and some allow more:
//
//   - Nobody sees into another node. So a node takes turns: steps of its workers, then one of its
//     communication thread; turns of two nodes are not mixed. Workers step only before something
//     that their communication thread does, or until they can do no more.
//   - A node's workers are alike: they are kept in order.
//   - A message is a flag or a slot; those of one pair are read in any order, too.
//   - A random request or a prefetch that is refused leaves nothing at the victim, so handling it
//     and reading the refusal are one step; and both have no victim before they are granted, so
//     that one may be under way to any node until then.
//   - A refusal is read only when its thief would ask again, or drains. Until then it may well be
//     under way: an open request keeps its thief from nothing else, and to close it makes nobody
//     else do anything. So too, a victim remembers its thief only then, or when it has a chunk for
//     it.
//   - A working node asks ahead whenever no prefetch is under way, so that one may be granted at any
//     time; tasks are not counted. A refused one is as good as the next, and read in draining.
//   - A vote or an ask that is under way is one that its reader has not made use of yet, so that it
//     arrives at once. When the phase changes before it was used, it may turn out to be under way
//     still (old_vote, old_ask). The asks to drain and to leave, which change how a node behaves,
//     are slots (last_ask).
//   - Edge counts would grow for ever; they agree when nothing older is under way on the edge.
//   - A bag is done at one go: a smaller one could do nothing that a larger one cannot.
//   - A worker that finishes its bag takes its chunk back or waits, and one that leaves the barrier
//     takes a chunk, in one step; only the node's idle verdict could see what lies between. FINE
//     has these steps one by one, the verdict's two looks, and the call that a worker follows late.
//   - handle_local's two halves, stealing and voting, are steps of their own. A chunk that is gone
//     when it is to be given counts as not seen.
//   - After the decision nobody looks at bags and chunks any more; they vanish.
//   - A stop is a failure by another name.
//
// Bounds: N nodes (2 to 4), W workers in each (1 or 2), TASKS in one bag at node 0, RANDOM steals,
// PREFETCH (0 or 1), one lifeline per node (the ring), at most FAILS nodes on which a worker
// throws, each at most once, a combining tree of arity ARITY. A worker shows at most one chunk, so
// each loot is one chunk.
//
// Weakened versions, each of which must be caught; tests/CMakeLists.txt says by which assertion:
//
//   ONE_VOTE           one round that balances is enough
//   NO_COUNTS          votes do not count loot
//   COUNT_LATE         loot counts as sent when it has arrived
//   COUNT_EARLY        loot counts as received before it is on the deque
//   COUNT_FIRST        the idle verdict reads the waiting count first, the deque second
//   TOUCH_BEFORE_LEAVE a worker takes a chunk before it leaves the barrier
//   SERVE_AFTER_END    remembered lifelines are served after the decision
//   NO_EDGE_COUNTS     nobody waits for what was overtaken
//   LEAVE_UNANSWERED   a node drains while its own requests are unanswered
//   FAILURE_FIRST      the failure is read before the idle verdict
//   VOTE_AFTER_REPORT  a node that has reported a failure goes on voting
//   DISCARD_UNCOUNTED  loot that is thrown away does not count as received
//
// BELIEVE_IDLE leaves idle_is_true unchecked, to see what a wrong verdict leads to.

#ifndef N
#define N 3
#endif
#ifndef W
#define W 2
#endif
#ifndef TASKS
#define TASKS 4
#endif
#ifndef RANDOM
#define RANDOM 1
#endif
#ifndef FAILS
#define FAILS 0
#endif
#ifndef PREFETCH
#define PREFETCH 1
#endif
#ifndef ARITY
#define ARITY 4
#endif

// Phases.
#define WORKING  0
#define DRAINING 1
#define LEAVING  2
#define DONE     3

// A worker. Those up to CALLED are counted in the barrier.
#define GONE    0             // failed
#define WAITING 1
#define CALLED  2             // saw a chunk and has not left yet
#define FAILING 3             // said that it failed and is not counted yet
#define LOOKING 4             // holds nothing
#define BAG(n)  (LOOKING + (n))
#define HELD(n) (100 + (n))   // TOUCH_BEFORE_LEAVE: took a chunk and is still counted

// Who was asked.
#define RANDOMLY 1
#define LIFELINE 2

// A slot for a request and its answer.
#define REQUEST 1
#define REFUSAL 2
#define LOOT(n) (REFUSAL + (n))

#define next(i)   (((i) + 1) % N)      // the lifeline goes there
#define before(i) (((i) + N - 1) % N)
#define parent(c) (((c) - 1) / ARITY)

// Whose turn it is. Node 0 begins, and puts the tasks.
#define FREE N
byte turn = 0;
bool seen_first;  // in this turn: the first half of the idle verdict holds

// Workers, and what their deques show: a chunk is the number of its tasks.
byte work[N * W] = WAITING;
byte shown[N * W];

typedef Node {
  // The communication thread's deque, the oldest chunk first.
  unsigned own : 3;
  unsigned own_2 : 3;
  unsigned hand : 3;  // COUNT_EARLY: loot that is counted and not on the deque yet
  bool failed;
  bool told;          // that it failed
  // StealProtocol.
  unsigned asked : 2;       // how
  unsigned answer : 3;      // that request or its answer, under way
  unsigned prefetched : 3;  // the same of the prefetch
  unsigned late : 3;        // loot under way here on the remembered lifeline
  bool set;                 // the lifeline
  bool thief;               // before(i) is remembered
  unsigned tries : 2;
  unsigned sent : 3;
  unsigned received : 3;
  // Termination.
  unsigned phase : 2;
  bool voted;
  unsigned reported : 3;  // the lowest failed rank that it knows of, + 1
  bool pending;           // and has not passed on
  // Of this node at its parent.
  bool has_voted;
  unsigned child_sent : 3;
  unsigned child_received : 3;
  // Under way from and to the parent.
  bool old_ask;           // overtaken
  unsigned last_ask : 2;  // the phase that it says
  bool old_vote;          // of an earlier round
  unsigned report : 4     // a bit per failed rank
}
Node n[N];
byte last_total;  // root: loot sent, + 1, of the round before, if it balanced
bool asked_again; // root: this is not the first round
byte done;        // tasks
#if FAILS
byte may_fail = FAILS;
#endif

// Used within one step only.
hidden byte c, k, chunk, total_sent, total_received;
hidden byte loot_under_way, excused;
hidden byte idle_is_true, end_is_true, nobody_is_gone, nothing_is_coming, one_loot, room;

#define is_waiting(k) (work[k] <= CALLED || work[k] > HELD(0))
#define wants(k)      (work[k] == LOOKING || work[k] == WAITING || work[k] == CALLED)
#define A(i)          ((i) * W)
#define B(i)          ((i) * W + W - 1)
#define shows(i)       (shown[A(i)] || shown[B(i)])
#define visible(i)     (n[i].own || shows(i))
#define all_waiting(i) (is_waiting(A(i)) && is_waiting(B(i)))
#define hungry(i)      ((wants(A(i)) || wants(B(i))) && !visible(i))
#define can_step(i) \
  (work[A(i)] > WAITING || work[B(i)] > WAITING || \
   ((work[A(i)] == WAITING || work[B(i)] == WAITING) && visible(i)))
#define holds_nothing(i) \
  (work[A(i)] <= LOOKING && work[B(i)] <= LOOKING && !visible(i))

#define has_loot(slot) ((slot) > REFUSAL)
#define quiet(i) (!n[i].asked && !n[i].prefetched)

// The edge counts.
#ifdef NO_EDGE_COUNTS
#define all_came_up(c)   true
#define all_came_down(i) true
#else
#define all_came_up(c)   (!n[c].old_vote && !n[c].report)
#define all_came_down(i) (!n[i].old_ask)
#endif
#define ready_child(i, c) \
  (parent(c) != (i) || (n[c].has_voted && (n[i].phase == WORKING || all_came_up(c))))
#if N == 2
#define complete(i) (ready_child(i, 1))
#elif N == 3
#define complete(i) (ready_child(i, 1) && ready_child(i, 2))
#else
#define complete(i) (ready_child(i, 1) && ready_child(i, 2) && ready_child(i, 3))
#endif

#define may_vote(i) (!n[i].voted && complete(i) && VOTES_AFTER_REPORT(i))
#ifdef VOTE_AFTER_REPORT
#define VOTES_AFTER_REPORT(i) true
#else
#define VOTES_AFTER_REPORT(i) (!n[i].reported)
#endif

// Would StealProtocol::handle_local do anything?
#define would_ask(i)      (hungry(i) && (n[i].tries < RANDOM || !n[i].set))
#define would_prefetch(i) (PREFETCH && !n[i].prefetched)
#define would_steal(i) \
  ((shows(i) && n[i].thief) || \
   (would_ask(i) && !n[i].asked) || \
   (!hungry(i) && n[i].tries) || \
   would_prefetch(i))

#ifdef FINE
#define SPLIT true
#else
#define SPLIT false
#endif
#define my_turn (turn == FREE || turn == _pid)
#define works   (n[_pid].phase == WORKING)

inline send_to(i) {
  nobody_is_gone = n[i].phase != DONE;
  assert(nobody_is_gone)
}

// Nobody knows yet to whom.
inline send_to_anybody() {
  for (c : 0 .. N - 1) {
    send_to(c)
  }
  c = 0
}

// ---- inside a node

inline tidy(i) {
  if
  :: work[A(i)] > work[B(i)] || (work[A(i)] == work[B(i)] && shown[A(i)] > shown[B(i)]) ->
    c = work[A(i)]; work[A(i)] = work[B(i)]; work[B(i)] = c;
    c = shown[A(i)]; shown[A(i)] = shown[B(i)]; shown[B(i)] = c
  :: else
  fi;
  c = 0
}

inline push(i, tasks) {
  if
  :: !n[i].own -> n[i].own = tasks
  :: else ->
    room = !n[i].own_2;
    assert(room);
    n[i].own_2 = tasks
  fi
}

inline pop(i) {
  chunk = n[i].own;
  n[i].own = n[i].own_2;
  n[i].own_2 = 0
}

#ifdef TOUCH_BEFORE_LEAVE
#define LEAVE(k) \
  :: d_step { my_turn && work[k] == WAITING && n[_pid].own -> \
       turn = _pid; pop(_pid); work[k] = HELD(chunk); tidy(_pid) } \
  :: d_step { my_turn && work[k] > HELD(0) -> \
       turn = _pid; work[k] = BAG(work[k] - HELD(0)); tidy(_pid) }
#else
#define LEAVE(k)
#endif

#define busy(k) (work[k] > LOOKING && work[k] < HELD(0))

// What a worker does: Worker::work_off and find_work, CancellableBarrier::wait.
#define PUBLISH(k) \
  :: d_step { my_turn && busy(k) && work[k] > BAG(1) && !shown[k] -> \
       turn = _pid; shown[k] = (work[k] - LOOKING) / 2; work[k] = work[k] - shown[k]; tidy(_pid) }

#ifdef FINE
#define WORKER(k, other) \
  PUBLISH(k) \
  :: d_step { my_turn && busy(k) -> /* does its bag */ \
       turn = _pid; count_done(k); work[k] = LOOKING; tidy(_pid) } \
  :: d_step { my_turn && work[k] == LOOKING && shown[k] -> /* takes back */ \
       turn = _pid; work[k] = BAG(shown[k]); shown[k] = 0; tidy(_pid) } \
  :: d_step { my_turn && work[k] == LOOKING && !shown[k] && k != other && shown[other] -> \
       turn = _pid; work[k] = BAG(shown[other]); shown[other] = 0; tidy(_pid) } \
  :: d_step { my_turn && work[k] == LOOKING && !shown[k] && n[_pid].own -> \
       turn = _pid; pop(_pid); work[k] = BAG(chunk); tidy(_pid) } \
  :: d_step { my_turn && work[k] == LOOKING && !visible(_pid) -> /* announces itself */ \
       turn = _pid; work[k] = WAITING; tidy(_pid) } \
  :: d_step { my_turn && work[k] == WAITING && visible(_pid) -> \
       turn = _pid; work[k] = CALLED; tidy(_pid) } \
  :: d_step { my_turn && work[k] == CALLED -> /* leaves */ \
       turn = _pid; work[k] = LOOKING; tidy(_pid) } \
  LEAVE(k) \
  FAIL(k)
#else
#define WORKER(k, other) \
  PUBLISH(k) \
  :: d_step { my_turn && busy(k) -> /* does its bag, then takes back or announces itself */ \
       turn = _pid; count_done(k); work[k] = (shown[k] -> BAG(shown[k]) : WAITING); shown[k] = 0; \
       tidy(_pid) } \
  :: d_step { my_turn && work[k] == WAITING && k != other && shown[other] -> \
       turn = _pid; work[k] = BAG(shown[other]); shown[other] = 0; tidy(_pid) } \
  :: d_step { my_turn && work[k] == WAITING && n[_pid].own -> \
       turn = _pid; pop(_pid); work[k] = BAG(chunk); tidy(_pid) } \
  FAIL(k)
#endif

#if FAILS
// Tasks of a failed run are thrown away, so that their number would say nothing.
#define count_done(k) skip
#define FAIL(k) \
  :: d_step { my_turn && busy(k) && may_fail && !n[_pid].failed -> \
       turn = _pid; may_fail--; n[_pid].failed = true; work[k] = FAILING; tidy(_pid) } \
  :: d_step { my_turn && work[k] == FAILING -> turn = _pid; work[k] = GONE; tidy(_pid) }
#else
#define count_done(k) done = done + work[k] - LOOKING
#define FAIL(k)
#endif

// Which deque the communication thread steals from: the fullest, and here all are.
inline choose_deque(i) {
  if
  :: shown[A(i)] -> k = A(i)
  :: W > 1 && shown[B(i)] -> k = B(i)
  fi
}

// ---- StealProtocol

inline take_loot(i) {  // from deque k
#ifndef COUNT_LATE
  n[i].sent++;
#endif
  chunk = shown[k];
  shown[k] = 0;
  tidy(i)
}

inline handle_loot(i, slot) {
#ifdef DISCARD_UNCOUNTED
  n[i].received = n[i].received + (n[i].phase == WORKING);
#else
  n[i].received++;
#endif
  if
  :: n[i].phase == WORKING ->
#ifdef COUNT_EARLY
    n[i].hand = slot - REFUSAL;
#else
    push(i, slot - REFUSAL);
#endif
    n[i].tries = 0
  :: else
  fi;
  slot = 0
}

#ifdef COUNT_LATE
#if RANDOM || PREFETCH
#error a random or prefetched loot does not say who sent it
#endif
#define COUNT_LOOT_OF(i) n[i].sent++
#else
#define COUNT_LOOT_OF(i) skip
#endif

// ---- Termination

inline close(i) {
  for (c : 0 .. W - 1) {
    work[i * W + c] = GONE;
#ifndef SERVE_AFTER_END
    shown[i * W + c] = 0
#endif
  }
#ifndef SERVE_AFTER_END
  n[i].thief = false;
#endif
  n[i].own = 0;
  n[i].own_2 = 0;
  n[i].set = false;
  n[i].tries = 0;
  n[i].failed = false;
  n[i].told = false;
  n[i].pending = false;
  n[i].reported = 0
}

// Of the phases after the decision.
inline begin_round(i, p) {
  n[i].phase = p;
  n[i].voted = false;
  for (c : 1 .. N - 1) {
    if
    :: parent(c) == i ->
      send_to(c);
      n[c].has_voted = false;
      n[c].child_sent = 0;
      n[c].child_received = 0;
      room = !n[c].last_ask;
      assert(room);
      n[c].last_ask = p
    :: else
    fi
  }
  c = 0
}

inline decide_success() {
  end_is_true = FAILS || done == TASKS;
  for (c : 0 .. N - 1) {
    end_is_true = end_is_true && holds_nothing(c) && !n[c].hand && !n[c].failed &&
      !has_loot(n[c].answer) && !has_loot(n[c].prefetched) && !has_loot(n[c].late)
  }
  assert(end_is_true);
  last_total = 0;
  asked_again = false;
  close(0);
  begin_round(0, DRAINING)
}

#ifdef ONE_VOTE
#define agrees() true
#else
#define agrees() (last_total == total_sent + 1)
#endif

inline conclude_round() {
  loot_under_way = false;
  for (c : 0 .. N - 1) {
    loot_under_way = loot_under_way || has_loot(n[c].answer) || has_loot(n[c].prefetched) ||
      has_loot(n[c].late)
  }
  excused = false;
  if
  :: n[0].phase == WORKING ->
    if
    :: total_sent == total_received && agrees() -> decide_success()
    :: else ->
      last_total = (total_sent == total_received -> total_sent + 1 : 0);
      excused = loot_under_way;
      asked_again = true;
      for (c : 0 .. N - 1) {
        n[c].voted = false;
        n[c].has_voted = false;
        n[c].child_sent = 0;
        n[c].child_received = 0
      }
    fi
  :: else ->
    if
    :: total_sent == total_received -> begin_round(0, LEAVING)
    :: else ->
      excused = loot_under_way;
      begin_round(0, DRAINING)
    fi
  fi
}

inline give_vote(i) {
  total_sent = n[i].sent;
  total_received = n[i].received;
  for (c : 1 .. N - 1) {
    if
    :: parent(c) == i ->
      total_sent = total_sent + n[c].child_sent;
      total_received = total_received + n[c].child_received;
      n[c].child_sent = 0;
      n[c].child_received = 0;
      n[c].has_voted = false
    :: else
    fi
  }
#ifdef NO_COUNTS
  total_sent = 0;
  total_received = 0;
#endif
  n[i].voted = true;
  if
  :: i == 0 -> conclude_round()
  :: else ->
    send_to(parent(i));
    if
    :: n[i].phase == n[parent(i)].phase ->
      n[i].has_voted = true;
      n[i].child_sent = total_sent;
      n[i].child_received = total_received
    :: else ->
      room = !n[i].old_vote;
      assert(room);
      n[i].old_vote = true
    fi
  fi;
  c = 0
}

inline handle_report(i, rank) {
  if
  :: n[i].phase == WORKING && (!n[i].reported || rank + 1 < n[i].reported) ->
    n[i].reported = rank + 1;
    n[i].pending = true
  :: else
  fi
}

inline pass_report_on(i) {
  n[i].pending = false;
  if
  :: i == 0 ->
    last_total = 0;
    asked_again = false;
    close(0);
    begin_round(0, DRAINING)
  :: else ->
    send_to(parent(i));
    room = !(n[i].report & (1 << (n[i].reported - 1)));
    assert(room);
    n[i].report = n[i].report | (1 << (n[i].reported - 1))
  fi
}

#define OLD_VOTE(i, child) \
  if \
  :: parent(child) == i && n[child].has_voted && n[i].phase == WORKING -> n[child].old_vote = true \
  :: true \
  fi;

// A vote that was taken as read may be under way still when its reader leaves the round.
inline which_votes_are_old(i) {
#if FAILS
  OLD_VOTE(i, 1)
#if N > 2
  OLD_VOTE(i, 2)
#endif
#if N > 3
  OLD_VOTE(i, 3)
#endif
#endif
  skip
}
#ifdef FAILURE_FIRST
#define looks_for_failure false
#else
#define looks_for_failure true
#endif

// Termination::advance in the working phase, after a look at the failure.
inline advance(i, ready) {
  if
  :: FAILS && looks_for_failure && n[i].failed && !n[i].told -> d_step {
       n[i].told = true;
       handle_report(i, i)
     }
  :: else
  fi;
  if
  :: n[i].pending ->
    which_votes_are_old(i);
    d_step { pass_report_on(i) }
  :: else
  fi;
  if
  :: n[i].phase == WORKING && (ready) && may_vote(i) -> d_step { give_vote(i) }
  :: else
  fi
}

#ifdef LIVE
#define END_ROUND(i) \
  if \
  :: excused -> excused = false; turn = i; goto excuse \
  :: else \
  fi;
#else
#define END_ROUND(i) excused = false;
#endif

#ifdef COUNT_FIRST
#define first_look(i)  all_waiting(i)
#define second_look(i) (!n[i].own)
#else
#define first_look(i)  (!n[i].own)
#define second_look(i) all_waiting(i)
#endif

#ifdef LEAVE_UNANSWERED
#define drained(i) true
#else
#define drained(i) quiet(i)
#endif

active [N] proctype node() {
  if
  :: _pid == 0 -> d_step {
       n[0].own = TASKS;
       turn = FREE
     }
  :: else
  fi;

again:
  do
  WORKER(A(_pid), B(_pid))
#if W > 1
  WORKER(B(_pid), A(_pid))
#endif

  // ---- StealProtocol::handle_local
  :: atomic { my_turn && !seen_first && works && would_steal(_pid) ->
       turn = FREE;
       if
       :: shows(_pid) && n[_pid].thief ->
         choose_deque(_pid);
         d_step {
           take_loot(_pid);
           n[_pid].thief = false;
           send_to(before(_pid));
           one_loot = !n[before(_pid)].late &&
             !(n[before(_pid)].asked == LIFELINE && has_loot(n[before(_pid)].answer));
           assert(one_loot);
           n[before(_pid)].late = LOOT(chunk)
         }
       :: else
       fi;
       d_step {
         if
         :: hungry(_pid) && !n[_pid].asked && n[_pid].tries < RANDOM ->
           n[_pid].tries++;
           n[_pid].asked = RANDOMLY;
           send_to_anybody();
           n[_pid].answer = REQUEST
         :: hungry(_pid) && !n[_pid].asked && n[_pid].tries >= RANDOM && !n[_pid].set ->
           n[_pid].set = true;
           n[_pid].asked = LIFELINE;
           send_to(next(_pid));
           n[_pid].answer = REQUEST
         :: !hungry(_pid) -> n[_pid].tries = 0
         :: else
         fi;
         if
         :: would_prefetch(_pid) ->
           send_to_anybody();
           n[_pid].prefetched = REQUEST
         :: else
         fi
       }
     }

  // ---- Node::idle in two looks, then Termination::advance
  :: d_step { my_turn && !seen_first && SPLIT && works && can_step(_pid) && first_look(_pid) &&
              may_vote(_pid) ->
       turn = _pid;
       seen_first = true
     }
  :: atomic { works && may_vote(_pid) && second_look(_pid) &&
              ((turn == _pid && seen_first) ||
               (my_turn && !seen_first && (!SPLIT || !can_step(_pid)) && first_look(_pid))) ->
       turn = FREE;
       seen_first = false;
       d_step {
#ifndef BELIEVE_IDLE
         idle_is_true = n[_pid].failed || holds_nothing(_pid);
         assert(idle_is_true);
#endif
         skip
       };
       advance(_pid, true);
       END_ROUND(_pid)
     }
#if FAILS
  :: atomic { my_turn && !seen_first && works &&
              ((n[_pid].failed && !n[_pid].told) || n[_pid].pending) ->
       turn = FREE;
       advance(_pid, false)
     }
#endif
  // Nothing more will happen here before a message comes.
  :: d_step { turn == _pid && !can_step(_pid) && !seen_first && works && !would_steal(_pid) &&
              !(first_look(_pid) && second_look(_pid) && may_vote(_pid)) ->
       turn = FREE
     }
  :: d_step { turn == _pid && !can_step(_pid) && seen_first && !second_look(_pid) ->
       turn = FREE;
       seen_first = false
     }

  // ---- StealProtocol::handle_request
#define GIVE(wants, slot) \
  :: atomic { my_turn && !seen_first && works && shows(_pid) && wants && slot == REQUEST -> \
       turn = FREE; \
       choose_deque(_pid); \
       d_step { take_loot(_pid); slot = LOOT(chunk) } \
     }
#if RANDOM
#define GIVE_RANDOMLY(j) GIVE(j != _pid && n[j].asked == RANDOMLY, n[j].answer)
  GIVE_RANDOMLY(0)
  GIVE_RANDOMLY(1)
#if N > 2
  GIVE_RANDOMLY(2)
#endif
#if N > 3
  GIVE_RANDOMLY(3)
#endif
#endif
#if PREFETCH
#define GIVE_AHEAD(j) GIVE(j != _pid, n[j].prefetched)
  GIVE_AHEAD(0)
  GIVE_AHEAD(1)
#if N > 2
  GIVE_AHEAD(2)
#endif
#if N > 3
  GIVE_AHEAD(3)
#endif
#endif
  :: atomic { my_turn && !seen_first && works && shows(_pid) &&
              n[before(_pid)].asked == LIFELINE && n[before(_pid)].answer == REQUEST ->
       if
       :: turn = FREE;
         choose_deque(_pid);
         d_step {
           take_loot(_pid);
           one_loot = !n[before(_pid)].late;
           assert(one_loot);
           n[before(_pid)].answer = LOOT(chunk)
         }
       :: d_step {  // came before the chunk did
           turn = _pid;
           n[before(_pid)].answer = REFUSAL;
           n[_pid].thief = true
         }
       fi
     }

  // ---- StealProtocol::handle_refusal
  :: d_step { my_turn && !seen_first && n[_pid].asked && !has_loot(n[_pid].answer) &&
              (!works || would_ask(_pid)) ->
       if
       :: n[_pid].asked == LIFELINE && n[_pid].answer == REQUEST ->  // has come there since
         n[next(_pid)].thief = (n[next(_pid)].phase == WORKING)
       :: else
       fi;
       n[_pid].asked = 0;
       n[_pid].answer = 0
     }
  :: d_step { my_turn && !seen_first && n[_pid].prefetched == REQUEST && !works ->
       n[_pid].prefetched = 0
     }

  // ---- accept_loot and StealProtocol::handle_loot
#define RECEIVE(slot) \
  :: d_step { my_turn && !seen_first && has_loot(n[_pid].slot) && !n[_pid].hand -> \
       turn = FREE; \
       handle_loot(_pid, n[_pid].slot)
  RECEIVE(answer);
       if
       :: n[_pid].asked == LIFELINE -> n[_pid].set = false
       :: else
       fi;
       COUNT_LOOT_OF(next(_pid));
       n[_pid].asked = 0
     }
  RECEIVE(prefetched) }
  RECEIVE(late);
       n[_pid].set = false;
       COUNT_LOOT_OF(next(_pid))
     }
#ifdef COUNT_EARLY
  :: d_step { my_turn && !seen_first && n[_pid].hand ->
       turn = FREE;
       push(_pid, n[_pid].hand);
       n[_pid].hand = 0
     }
#endif

  // ---- Termination::handle_ask
  :: d_step { turn == FREE && n[_pid].old_ask -> n[_pid].old_ask = false }
  :: atomic { turn == FREE && n[_pid].last_ask ->
#if FAILS
       // The ask of this round may be under way still.
       if
       :: works && asked_again && !n[_pid].voted -> n[_pid].old_ask = true
       :: true
       fi;
       which_votes_are_old(_pid);
#endif
       d_step {
         if
         :: works -> close(_pid)
         :: else
         fi;
         k = n[_pid].last_ask;
         n[_pid].last_ask = 0;
         begin_round(_pid, k)
       }
     }

  // ---- Termination::handle_vote and handle_report
#if FAILS
#define FROM_CHILD(child) \
  :: d_step { turn == FREE && parent(child) == _pid && n[child].old_vote -> \
       n[child].old_vote = false \
     } \
  REPORT(child, 0) REPORT(child, 1) REPORT(child, 2) REPORT(child, 3)
#define REPORT(child, rank) \
  :: d_step { turn == FREE && parent(child) == _pid && (n[child].report & (1 << rank)) -> \
       n[child].report = n[child].report & (15 - (1 << rank)); \
       handle_report(_pid, rank) \
     }
  FROM_CHILD(1)
#if N > 2
  FROM_CHILD(2)
#endif
#if N > 3
  FROM_CHILD(3)
#endif
#endif

  // ---- Termination::advance after the decision
  :: atomic { turn == FREE && n[_pid].phase == DRAINING && drained(_pid) && !n[_pid].voted &&
              complete(_pid) ->
       d_step { give_vote(_pid) };
       END_ROUND(_pid)
     }
#ifdef SERVE_AFTER_END
  :: atomic { turn == FREE && !works && n[_pid].thief && shows(_pid) ->
       choose_deque(_pid);
       d_step {
         take_loot(_pid);
         n[_pid].thief = false;
         send_to(before(_pid));
         n[before(_pid)].late = LOOT(chunk)
       }
     }
#endif

  // ---- Termination::done
  :: atomic { turn == FREE && n[_pid].phase == LEAVING && all_came_down(_pid) ->
       d_step {
         nothing_is_coming = !n[_pid].answer && !n[_pid].prefetched && !n[_pid].late &&
           !n[_pid].old_ask && !n[_pid].last_ask;
         for (c : 0 .. N - 1) {
           nothing_is_coming = nothing_is_coming &&
             !(n[c].asked == RANDOMLY && n[c].answer == REQUEST) &&
             !(n[c].answer == REQUEST && next(c) == _pid) &&
             n[c].prefetched != REQUEST &&
             (c == 0 || parent(c) != _pid || (!n[c].old_vote && !n[c].report))
         }
         assert(nothing_is_coming);
         n[_pid].phase = DONE
       };
       break
     }
  od;
  goto over;

#ifdef LIVE
excuse:
progress_loot_is_under_way:
  atomic { turn = FREE; goto again }
#endif

over:
  skip
}
