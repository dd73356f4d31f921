/** The default error handler: emits a process warning. */
export function warnOfError(error: unknown): void {
  process.emitWarning(error instanceof Error ? error : String(error));
}
