/**
 * Lets a server continue when its output cannot be written, because the disk of its log is full or the reader has ended. Lines are lost until
 * it can be written again. By default, Node.js ends the process.
 */
export function surviveUnwritableOutput(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
}
