/** Work that goes on until it is told to stop. */
export interface Runnable {
  /** For people: what errors and reports call it. */
  readonly name: string;
  /**
   * Resolves when the signal has fired and nothing is under way any more, or earlier when there is nothing left to do. A rejection is fatal
   * to whatever runs beside it.
   */
  run(signal: AbortSignal): Promise<void>;
}
