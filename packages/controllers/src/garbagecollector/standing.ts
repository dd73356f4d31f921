import type { Waiting } from './deletion.js';

/** What the graph knows of the owner that a reference means. */
export type Standing =
  /** It is there. */
  | 'solid'
  /** It is being deleted, and waits for its dependents to be gone. */
  | 'waiting'
  /** It is being deleted, and waits for its dependents to let go of it. */
  | 'orphaning'
  /** The server has said that there is none. */
  | 'absent'
  /** Only the server can tell. */
  | 'unknown';

/** Of an owner that is there, and is or is not being deleted. */
export function standingOf(waitsFor: Waiting | undefined): 'solid' | 'waiting' | 'orphaning' {
  if (waitsFor === undefined) return 'solid';
  return waitsFor === 'orphans' ? 'orphaning' : 'waiting';
}
