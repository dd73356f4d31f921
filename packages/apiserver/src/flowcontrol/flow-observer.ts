import type { Load, QueueSet } from '../fairqueuing/index.js';

/** Receives what happens to the requests of a flow schema in a priority level. It must not throw. */
export interface FlowObserver {
  estimated(seats: number): void;
  /** `length`: of the queue, with the request. */
  queued(length: number): void;
  /** Called for each request that may have to wait. */
  waited(seconds: number, executes: boolean): void;
  executed(seconds: number, isWatch: boolean): void;
  refused(reason: 'concurrency-limit' | 'queue-full' | 'time-out'): void;
  dispatched(): void;
  /** A request waits although a seat is free, because it needs more. */
  noRoom(): void;
  /** How many watches a write concerns. */
  watches(count: number): void;
}

/** Receives what happens in a priority level. It must not throw. */
export interface LevelObserver {
  /** Called after each change of the requests, the seats or the limit. `now`: milliseconds, monotonic. */
  changed(queues: QueueSet, now: number): void;
}

export interface FlowObservers {
  flow(level: string, schema: string): FlowObserver;
  level(name: string): LevelObserver;
}

/** The requests of a flow schema in a priority level. */
export interface Flow {
  readonly load: Load;
  readonly observer: FlowObserver;
}
