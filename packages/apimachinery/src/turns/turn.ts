import { type Caller, Rotation } from './rotation.js';

/**
 * How long work may hold the event loop, in milliseconds. A request needs several turns of the loop. During a flood of lists, another user gets
 * 40 to 57 % of the requests that it gets alone, and fewer with longer turns (`bench/load/fairness.mjs`).
 */
const TURN_MS = 2.5;

/** When the current turn began; undefined = no long work so far. */
let begun: number | undefined;
/** Work that connections begin, such as new requests. */
const entries = new Rotation();
/** Waiting work, first come first served. A stage goes before long work: otherwise a request would wait for hundreds of others. */
const stages: (() => void)[] = [];
const long: (() => void)[] = [];
/**
 * How many entries go before a stage. A request has one entry and many stages, so with fewer, requests that have begun would keep new ones
 * waiting.
 */
const ENTRIES_BEFORE_STAGE = 3;
let entriesBeforeStage = ENTRIES_BEFORE_STAGE;
/**
 * While entries and stages wait, they get as much of a turn of the loop as connections took of it for work that is not divided, such as
 * handshakes: at least {@link TURN_MS}, and at most this.
 */
const MOST_MS = 20;
let shareMs = TURN_MS;
/** When entries or stages were left waiting at the end of a turn. */
let leftAt: number | undefined;
/**
 * How long an entry, a stage or a step of long work may run, even if the turn is over. Most short requests need no further stage, and a list
 * of thousands of objects would wait for minutes with a few objects a step.
 */
const SLICE_MS = 1;
let sliceEnd = 0;
/** The connection whose slice has begun. If it has waited, it remains here until its promises have settled. */
let running: Caller | undefined;
/** Whether long work still gets its step of this turn, even if stages use it up. */
let owesStep = false;

/** How many simulations have stopped turns. */
let stopped = 0;

/**
 * Lets work compute to its end until disposed. A simulation needs that, since turns depend on the speed of the machine,
 * and so would the order of its work. All servers of the process share their turns.
 */
export function withoutTurns(): Disposable {
  stopped++;
  let isOver = false;
  return {
    [Symbol.dispose]: () => {
      if (!isOver) stopped--;
      isOver = true;
    },
  };
}

/** Whether the turn is used up, and the running work has had its slice too. */
export function isTurnOver(): boolean {
  if (stopped > 0) return false;
  const now = performance.now();
  return isUsedUp(now) && now >= sliceEnd;
}

/**
 * Begins work of a connection, at once or later. Like a {@link stage}, but clients come in turn, and then the connections of a client:
 * hundreds of requests of one client do not keep the request of another one waiting. Work of the same connection that `begin` enters is part
 * of the same slice.
 */
export function enter(caller: Caller, begin: () => void): void {
  if (mayEnter(caller)) {
    enterNow(caller, begin);
    return;
  }
  entries.push(caller, begin);
  if (begun === undefined) beginTurn();
}

/** Nothing overtakes earlier work of its connection. */
function mayEnter(caller: Caller): boolean {
  if (stopped > 0) return true;
  const now = performance.now();
  if (caller === running) return now < sliceEnd && !entries.has(caller);
  return !isUsedUp(now) && entries.isEmpty;
}

function enterNow(caller: Caller, begin: () => void): void {
  const outer = running;
  if (caller !== outer) beginSlice();
  running = caller;
  try {
    begin();
  } finally {
    running = outer;
  }
}

/** Resolves in a later turn of the loop. Long work resumes in the order of the calls. */
export function nextTurn(): Promise<void> {
  return waitIn(long);
}

/** Call it before each piece of long work. It yields to other work when the pieces before, of any work, have used up the turn. */
export function pause(): Promise<void> | undefined {
  return isTurnOver() ? nextTurn() : undefined;
}

/**
 * Call it before each stage of a request. Like {@link pause}, but the stage resumes before long work. A request may have only a few
 * dozen stages, whatever it asks for. One that has not waited for anything else keeps the place of its connection among the clients.
 */
export function stage(): Promise<void> | undefined {
  if (!isTurnOver()) return undefined;
  if (running === undefined) return waitIn(stages);
  const caller = running;
  return new Promise((resolve) => entries.push(caller, resolve));
}

/** A turn for work that cannot be divided, so that one turn never holds several such works. Call it before the work; `undefined` = begin at once. */
export function ownTurn(): Promise<void> | undefined {
  return stopped > 0 ? undefined : nextTurn();
}

function waitIn(queue: (() => void)[]): Promise<void> {
  return new Promise((resolve) => {
    queue.push(resolve);
    if (begun === undefined) beginTurn();
  });
}

/** Begins the turn if none has begun. */
function isUsedUp(now: number): boolean {
  if (begun !== undefined) return now - begun >= TURN_MS;
  beginTurn(now);
  return false;
}

function beginTurn(now = performance.now()): void {
  begun = now;
  sliceEnd = 0;
  setImmediate(turn);
}

/** Starts a new turn for long work only after the loop has checked timers and sockets; earlier work belongs to the old turn. */
function turn(): void {
  begun = undefined;
  if (hasStages()) resume();
  else if (long.length > 0) setImmediate(resume);
}

/**
 * Resumes the first waiter, even if other work has used up the turn. Stages get a turn of their own: otherwise only one would
 * resume beside work that is not divided, such as handshakes.
 */
function resume(): void {
  const now = performance.now();
  if (begun === undefined) beginTurn(now);
  else if (hasStages()) begun = now;
  shareMs = leftAt === undefined ? TURN_MS : Math.min(Math.max(now - leftAt, TURN_MS), MOST_MS);
  leftAt = undefined;
  owesStep = long.length > 0;
  next();
}

/** Resumes the next waiter after the promises of the one before have settled. */
function resumeNext(): void {
  running = undefined;
  const now = performance.now();
  if (!isUsedUp(now) || (hasStages() && now - (begun ?? now) < shareMs)) next();
  else if (owesStep) resumeLong();
  else if (hasStages()) leftAt = now;
}

function hasStages(): boolean {
  return stages.length > 0 || !entries.isEmpty;
}

function next(): void {
  const isEntry = !entries.isEmpty && (entriesBeforeStage > 0 || stages.length === 0);
  entriesBeforeStage = entriesBeforeStage > 0 ? entriesBeforeStage - 1 : ENTRIES_BEFORE_STAGE;
  if (isEntry) {
    const entry = entries.shift();
    running = entry?.caller;
    beginSlice();
    if (entry !== undefined) go(entry.resume);
    return;
  }
  const resolve = stages.shift();
  if (resolve === undefined) {
    resumeLong();
    return;
  }
  beginSlice();
  go(resolve);
}

function resumeLong(): void {
  owesStep = false;
  const resolve = long.shift();
  if (resolve === undefined) return;
  beginSlice();
  go(resolve);
}

function beginSlice(): void {
  sliceEnd = performance.now() + SLICE_MS;
}

function go(resolve: () => void): void {
  resolve();
  queueMicrotask(() => process.nextTick(resumeNext));
}
