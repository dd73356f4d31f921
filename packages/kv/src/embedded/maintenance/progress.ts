/** Told often how far a step has come, in units of its own; `total` may be a guess. Called synchronously. */
export type Progress = (step: string, done: number, total: number) => void;

export interface MaintenanceOptions {
  /** Of the store; see `openEmbeddedKV`. */
  readonly directory: string;
  readonly progress?: Progress;
  /** Gives up; what was begun is cleaned away before the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}
