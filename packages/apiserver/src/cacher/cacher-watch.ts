import type { StoredObject } from '../storage/index.js';
import type { ObjectFilter } from './event.js';
import type { Watcher } from './watcher.js';

export interface CacherWatchOptions {
  readonly prefix: string;
  readonly filter: ObjectFilter | undefined;
  /** Undefined: start with the current objects, as ADDED. */
  readonly fromRevision: number | undefined;
  /** Objects to send first, as ADDED: every match in the state at `fromRevision`. */
  readonly initial?: readonly StoredObject[];
}

export interface CacherWatch {
  readonly watcher: Watcher;
  /** The revision after which the watch begins; with initial objects, the revision of their state. */
  readonly initialRevision: number;
  /** How many of the first events are initial objects. The first `take` returns all of them, and may return more. */
  readonly initialCount: number;
  /** The watcher has been offered everything up to this revision; 0 = not yet known. */
  revision(): number;
  stop(): void;
}
