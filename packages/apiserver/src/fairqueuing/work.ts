/** The seats that a request needs. */
export interface Work {
  /** While it is served. */
  readonly seats: number;
  /** Afterwards, for `finalMs`: the client has its answer, and the server still works. */
  readonly finalSeats: number;
  /** Milliseconds. */
  readonly finalMs: number;
}

/** How much of a queue set one kind of request takes. */
export interface Load {
  waiting: number;
  waitingSeats: number;
  executing: number;
  executingSeats: number;
}

export const noLoad = (): Load => ({ waiting: 0, waitingSeats: 0, executing: 0, executingSeats: 0 });
