const EVENTS = 256;
const BYTES = 256 * 1024;

/** Whether a receiver in which this much waits lets a replay wait. See `WatchSink.whenReady`. */
export function pausesReplay(events: number, bytes: number): boolean {
  return events >= EVENTS || bytes >= BYTES;
}
