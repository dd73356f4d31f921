/**
 * - `usage`: the options are invalid
 * - `environment`: a port, file or directory from the options cannot be used
 */
export type StartErrorCode = 'usage' | 'environment';

/** The failure of a start: one sentence with the problem and the remedy. */
export class StartError extends Error {
  override readonly name = 'StartError';
  readonly code: StartErrorCode;
  constructor(code: StartErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

export function usageError(message: string): StartError {
  return new StartError('usage', message);
}
