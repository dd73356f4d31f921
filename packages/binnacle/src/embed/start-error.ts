/**
 * - `usage`: the options are wrong in themselves
 * - `environment`: what they ask for cannot be had here and now: a port, a file, a directory
 */
export type StartErrorCode = 'usage' | 'environment';

/** Why the server did not start: one sentence for a person, with what to do about it. */
export class StartError extends Error {
  override readonly name = 'StartError';
  readonly code: StartErrorCode;
  constructor(code: StartErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
