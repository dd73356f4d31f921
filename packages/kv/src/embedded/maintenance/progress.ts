/** Called often with the progress of a step, in the step's own units; `total` may be an estimate. Synchronous. */
export type Progress = (step: string, done: number, total: number) => void;

export interface MaintenanceOptions {
  /** The directory of the store; see `openEmbeddedKV`. */
  readonly directory: string;
  readonly progress?: Progress;
  /** Cancels the operation. Partial results are removed before the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}
