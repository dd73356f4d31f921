import { messageOf } from '@binnacle/apimachinery/errors';
import { inert } from '../../printing/index.js';

/** Prints why a command has failed. */
export function printFailure(error: unknown): void {
  printMessage(messageOf(error));
}

/** Prints what a command has to say beside its output. */
export function printMessage(message: string): void {
  process.stderr.write(messageLines(message));
}

/** The lines of the message, without control characters: it may quote a server, a file or an object, and terminals obey such characters. */
export function messageLines(message: string): string {
  return `binnacle: ${message.split('\n').map(inert).join('\n')}\n`;
}
