import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sleep, systemClock } from '@binnacle/apimachinery/clock';
import { type RunningBinnacle, start, StartError, type StartOptions } from '../../embed/index.js';
import { announcement } from './announcement.js';
import { flagValues } from '../arguments/flag-values.js';
import { killAtExit, threadsEnd } from './leave.js';
import { printFailure, printMessage } from './print-message.js';
import { untilStopped } from './shutdown.js';
import { surviveUnwritableOutput } from './unwritable-output.js';

/** The maximum time in which a stop waits for work in progress. */
const LONGEST_STOP_MS = 10_000;
/** And before the server is ready, when only threads that hang can hold it up. */
const UNREADY_STOP_MS = 1000;

interface ServeExtras {
  /** One sentence each, to print. */
  readonly warnings?: readonly string[];
  /** Whether to serve the console too. */
  readonly console?: boolean;
}

/**
 * `binnacle serve`: resolves with the exit code when the server has stopped. A signal during the start exits
 * immediately, which is safe because the data on disk is always consistent. A second signal kills the process.
 */
export async function serve(
  options: StartOptions,
  { warnings = [], console = false }: ServeExtras = {},
): Promise<number> {
  surviveUnwritableOutput();
  for (const warning of warnings) printMessage(warning);
  const stopRequested = untilStopped();
  let temporary: string | undefined;
  try {
    // An in-memory server has no data directory, but KUBECONFIG still needs a file.
    if (options.inMemory === true && options.kubeconfigFile === undefined) {
      temporary = await mkdtemp(join(tmpdir(), 'binnacle-'));
    }
    const kubeconfigFile = temporary === undefined ? options.kubeconfigFile : join(temporary, 'kubeconfig');
    const starting = startServing({ ...options, kubeconfigFile, flags: flagValues(options) });
    const server = await Promise.race([starting, stopRequested]);
    if (server === undefined) {
      if (!(await threadsEnd(systemClock, UNREADY_STOP_MS))) killAtExit();
      return 0;
    }
    process.stdout.write(announcement(server, process.uptime()));
    if (console) await (await import('./console.js')).serveConsole(server.clientConfig, stopRequested);
    await stopRequested;
    await stopWithin(server, stopLimitMs(options));
    return 0;
  } catch (error) {
    printFailure(error);
    return error instanceof StartError && error.code === 'usage' ? 2 : 1;
  } finally {
    // All threads of the pool may hang.
    if (temporary !== undefined) rmSync(temporary, { recursive: true, force: true });
  }
}

/** The code of workers loads only if there are some. */
async function startServing(options: StartOptions): Promise<RunningBinnacle> {
  const { workers = 1 } = options;
  if (workers <= 1) return start(options);
  const { startPrimary } = await import('../../workers/index.js');
  return startPrimary(options, { workers, command: 'worker' });
}

/** Throws after `limitMs`. Then the process will end by a signal, because something of it may hang that no exit can end. */
async function stopWithin(server: Pick<RunningBinnacle, 'stop'>, limitMs: number): Promise<void> {
  const began = systemClock.monotonic();
  const ended = await Promise.race([server.stop().then(() => true), sleep(systemClock, limitMs).then(() => false)]);
  if (ended && (await threadsEnd(systemClock, limitMs - (systemClock.monotonic() - began)))) return;
  killAtExit();
  throw new Error(`not everything has ended within ${limitMs / 1000} s; the rest is cut off`);
}

/** How long a stop may take, in milliseconds. The shutdown delay comes first, while the server still serves; then watches end. */
export function stopLimitMs({
  shutdownDelayMs = 0,
  shutdownWatchTerminationGracePeriodMs: watchGraceMs = 0,
}: Pick<StartOptions, 'shutdownDelayMs' | 'shutdownWatchTerminationGracePeriodMs'>): number {
  return shutdownDelayMs + watchGraceMs + LONGEST_STOP_MS;
}
