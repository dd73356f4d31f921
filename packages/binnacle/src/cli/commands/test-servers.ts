import { createInterface } from 'node:readline';
import { serveRequests, TestServers } from '../../testservers/index.js';
import { readTestServerFlags } from '../arguments/test-server-flags.js';
import { untilStopped } from './shutdown.js';

/** `binnacle test-servers`: resolves with the exit code when standard input has ended, or after SIGTERM or SIGINT. */
export async function testServers(): Promise<number> {
  const servers = new TestServers(readTestServerFlags);
  // The reader of the answers may be gone before its end is noticed.
  process.stdout.on('error', () => undefined);
  const requests = serveRequests(
    createInterface({ input: process.stdin }),
    (call) => servers.handle(call),
    (line) => process.stdout.write(line),
  );
  await Promise.race([requests, untilStopped()]);
  await servers.stop();
  return 0;
}
