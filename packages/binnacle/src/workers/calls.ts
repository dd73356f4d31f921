import type { ServerCredentials, StartOptions } from '../embed/index.js';

/** PEM. */
export interface TokenKeyTexts {
  readonly signing: string;
  /** Further keys that verify, one after the other. */
  readonly verification: string;
}

/** What a worker needs to begin. */
export interface WorkerStart {
  readonly options: StartOptions;
  readonly credentials: Pick<ServerCredentials, 'certificates' | 'token'>;
  /** The number of workers. */
  readonly workers: number;
  /** The port to which clients connect. */
  readonly port: number;
  /** The names of health checks of the primary. */
  readonly checks: readonly string[];
}

/** What a primary asks of a worker. */
export interface WorkerCalls {
  /** Settles when the worker serves. */
  readonly start: { readonly argument: WorkerStart; readonly answer: void };
  /** A new connection, as the socket of the call. Settles when the worker has it. */
  readonly connection: { readonly argument: undefined; readonly answer: void };
  /** Settles at once, in a worker that does not hang. */
  readonly alive: { readonly argument: undefined; readonly answer: void };
  /** Settles when the worker has seen everything that the store had at the time of the call. */
  readonly catchUp: { readonly argument: undefined; readonly answer: void };
  readonly announceStop: { readonly argument: undefined; readonly answer: void };
  /** Settles when the last request has ended. The worker then ends by itself. */
  readonly stop: { readonly argument: undefined; readonly answer: void };
  readonly metrics: { readonly argument: string; readonly answer: string };
}

/** What a worker asks of its primary. */
export interface PrimaryCalls {
  /** The worker takes no connections any more. */
  readonly refuse: { readonly argument: undefined; readonly answer: void };
  /** Lines of the audit log. Settles when they are written. */
  readonly audit: { readonly argument: Uint8Array; readonly answer: void };
  /** The metrics of all processes at a path. */
  readonly metrics: { readonly argument: string; readonly answer: string };
  /** Runs a health check of the primary. Rejects if it fails. */
  readonly check: { readonly argument: string; readonly answer: void };
  readonly tokenKeys: { readonly argument: undefined; readonly answer: TokenKeyTexts };
}
