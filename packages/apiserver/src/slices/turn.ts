/** How long work may hold the loop before others run, milliseconds. A request needs several turns to be answered. */
const TURN_MS = 5;

/** When the present turn began; undefined = no long work has been done in it yet. */
let begun: number | undefined;
/** Work that waits, in the order in which it came. */
const line: (() => void)[] = [];

/** Whether work in this turn of the loop, of whichever request, has gone on for so long that others should run. */
export function isTurnOver(): boolean {
  if (begun !== undefined) return performance.now() - begun >= TURN_MS;
  begin();
  return false;
}

/** Resolves when the caller may go on, in the order of the line: in a later turn of the loop. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    line.push(resolve);
    if (begun === undefined) begin();
  });
}

function begin(): void {
  begun = performance.now();
  setImmediate(turn);
}

/** Work that begins before the loop has looked at its timers and sockets once more would be work of the same turn. */
function turn(): void {
  begun = undefined;
  if (line.length > 0) setImmediate(resume);
}

/** The first in line goes on even where others have used up the turn meanwhile. */
function resume(): void {
  if (begun === undefined) begin();
  next();
}

/** Lets the next one go on once the one before has done what it could: once its promises have settled. */
function goOn(): void {
  if (line.length > 0 && !isTurnOver()) next();
}

function next(): void {
  line.shift()?.();
  queueMicrotask(() => process.nextTick(goOn));
}
