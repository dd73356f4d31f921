/** A process that still has work after this many turns of its event loop is taken to never rest. */
const MOST_TURNS = 1_000_000;

/** What Node.js calls file operations, closes of files, and look-ups of names. */
const UNDER_WAY = /^(?:FSReq|CloseReq|GetAddrInfoReq)/;

/** Turns that callers of this module wait for. They do not count as work. */
let ownTurns = 0;

/**
 * Resolves when nothing in this process can continue without time or input: no promise reaction, tick or immediate is
 * left. No file operation, such as the loading of a module, and no look-up of a name is under way. Timers and sockets
 * do not count. Rejects if that never comes.
 *
 * A turn of the event loop starts when all promise reactions have run. What remains then is an immediate or a file
 * operation, and Node.js lists both.
 */
export async function atRest(): Promise<void> {
  for (let turns = 0; turns < MOST_TURNS; turns++) if (!(await isBusyAfterTurn())) return;
  throw new Error(`the process still has work after ${MOST_TURNS} turns of its event loop`);
}

function isBusyAfterTurn(): Promise<boolean> {
  ownTurns++;
  return new Promise((resolve) => {
    setImmediate(() => {
      ownTurns--;
      resolve(isBusy());
    });
  });
}

function isBusy(): boolean {
  let immediates = 0;
  for (const type of process.getActiveResourcesInfo()) {
    if (type === 'Immediate') immediates++;
    else if (UNDER_WAY.test(type)) return true;
  }
  return immediates > ownTurns;
}
