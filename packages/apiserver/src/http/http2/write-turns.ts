import { type Caller, Rotation } from '../../slices/index.js';

/** How long the writes of all connections may hold the event loop together, in milliseconds. TLS encrypts a batch when it is written. */
const TURN_MS = 1;

const waiting = new Rotation();
let isScheduled = false;

/**
 * Calls `write` in a later phase of the loop. Clients come in turn, then the connections of a client, so that the answers for one client
 * do not keep those for another one waiting. Of several clients, each has one write a turn. The others follow in later turns, after the requests
 * that arrive meanwhile: a client that sends its next request when it has an answer would otherwise wait for many writes of another one each time.
 */
export function scheduleWrite(caller: Caller, write: () => void): void {
  waiting.push(caller, write);
  schedule();
}

function schedule(): void {
  if (isScheduled) return;
  isScheduled = true;
  setImmediate(writeWaiting);
}

function writeWaiting(): void {
  isScheduled = false;
  const end = performance.now() + TURN_MS;
  const written = new Set<unknown>();
  do {
    written.add(waiting.next?.client);
    waiting.shift()?.resume();
  } while (!waiting.isEmpty && performance.now() < end && (written.size === 1 || !written.has(waiting.next?.client)));
  if (!waiting.isEmpty) schedule();
}
