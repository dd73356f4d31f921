import { parseCommandLine } from './command-line.js';

/** The command, and the text to print if there is one. */
export function textOf(...args: readonly string[]): string {
  const request = parseCommandLine(args);
  return 'text' in request ? `${request.command}: ${request.text}` : request.command;
}
