import { messageOf } from '@binnacle/apimachinery/errors';
import { inert } from '../../history/index.js';

/** Prints why a command has failed. */
export function printFailure(error: unknown): void {
  process.stderr.write(failureText(error));
}

/** The lines of the message, without control characters: it may quote a server, a file or an object, and terminals obey such characters. */
export function failureText(error: unknown): string {
  const message = messageOf(error);
  return `binnacle: ${message.split('\n').map(inert).join('\n')}\n`;
}
