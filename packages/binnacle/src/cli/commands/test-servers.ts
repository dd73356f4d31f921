import { BodyTooLongError, readLines } from '@binnacle/client/transport';
import { serveRequests, TestServers } from '../../testservers/index.js';
import { readTestServerFlags } from '../arguments/test-server-flags.js';
import { printMessage } from './print-message.js';
import { untilStopped } from './shutdown.js';

/** Far above the size of any request. */
const LONGEST_REQUEST_BYTES = 16 * 1024 * 1024;

/**
 * `binnacle test-servers`: resolves with the exit code when standard input has ended, after SIGTERM or SIGINT, or when a line is too long.
 */
export async function testServers(): Promise<number> {
  const servers = new TestServers(readTestServerFlags);
  // The reader of the answers may be gone before its end is noticed.
  process.stdout.on('error', () => undefined);
  const requests = serveRequests(
    requestLines(process.stdin),
    (call) => servers.handle(call),
    (line) => process.stdout.write(line),
  );
  try {
    await Promise.race([requests, untilStopped()]);
    return 0;
  } catch (error) {
    if (!(error instanceof BodyTooLongError)) throw error;
    printMessage(`a request is longer than ${LONGEST_REQUEST_BYTES} bytes`);
    return 1;
  } finally {
    await servers.stop();
  }
}

async function* requestLines(input: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
  for await (const line of readLines(input, LONGEST_REQUEST_BYTES)) yield Buffer.from(line).toString();
}
