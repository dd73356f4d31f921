import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { start, StartError, type StartOptions } from '../embed/index.js';
import { announcement } from './announcement.js';
import { untilStopped } from './shutdown.js';

/** `binnacle serve`: resolves with the exit code when the server has ended. A second signal ends the process itself. */
export async function serve(options: StartOptions): Promise<number> {
  const stopRequested = untilStopped();
  let temporary: string | undefined;
  try {
    // In memory there is no data directory, and a person still needs a file to point KUBECONFIG at.
    if (options.inMemory === true && options.kubeconfigFile === undefined) {
      temporary = await mkdtemp(join(tmpdir(), 'binnacle-'));
    }
    const server = await start({
      ...options,
      ...(temporary === undefined ? {} : { kubeconfigFile: join(temporary, 'kubeconfig') }),
    });
    process.stdout.write(announcement(server, process.uptime()));
    await stopRequested;
    await server.stop();
    return 0;
  } catch (error) {
    process.stderr.write(`binnacle: ${error instanceof Error ? error.message : String(error)}\n`);
    return error instanceof StartError && error.code === 'usage' ? 2 : 1;
  } finally {
    if (temporary !== undefined) await rm(temporary, { recursive: true, force: true });
  }
}
