/**
 * - `usage`: the options are wrong
 * - `environment`: a port, a file or a directory that they name cannot be used
 */
export type StartErrorCode = 'usage' | 'environment';

/** Why the server did not start: one sentence with the problem and the remedy. */
export class StartError extends Error {
  override readonly name = 'StartError';
  readonly code: StartErrorCode;
  constructor(code: StartErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
