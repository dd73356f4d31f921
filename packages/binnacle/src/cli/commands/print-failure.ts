import { inert } from '../../history/index.js';

/** Tells people why a command has failed. */
export function printFailure(error: unknown): void {
  process.stderr.write(failureText(error));
}

/** One line, or those of the message. A message may quote a server, a file or an object, and terminals obey control characters. */
export function failureText(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return `binnacle: ${message.split('\n').map(inert).join('\n')}\n`;
}
