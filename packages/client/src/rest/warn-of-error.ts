/** What becomes of a failure of which nobody has asked to hear: a warning of this process. */
export function warnOfError(error: unknown): void {
  process.emitWarning(error instanceof Error ? error : String(error));
}
