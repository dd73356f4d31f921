/** The source of time. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls `run` once, after at least that long, unless disposed before. */
  setTimeout(run: () => void, milliseconds: number): Disposable;
}
