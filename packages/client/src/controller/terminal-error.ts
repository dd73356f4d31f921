/** Thrown by a reconcile that would fail again: it is reported, and not tried again until something changes. */
export class TerminalError extends Error {
  override readonly name = 'TerminalError';
}
