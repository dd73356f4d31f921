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

/** Resolves when the caller may go on: one of those who wait in each turn of the loop. */
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

/** What the first in line does, it does once this has returned. */
function turn(): void {
  begun = undefined;
  const next = line.shift();
  if (next === undefined) return;
  begin();
  next();
}
