import type { RunningServer } from '@binnacle/apiserver';
import type { Transport } from '@binnacle/client/transport';
import type { Identity, ManagerOptions } from '@binnacle/controllers';
import type { Parts } from './parts.js';

type LoopOptions = Pick<
  ManagerOptions,
  'loops' | 'certificateAuthority' | 'isSoleServer' | 'leaderElection' | 'loadBalancerIPRange' | 'settings'
>;

/**
 * Starts control loops for a ready server, in the same process. Returns the function that stops them. Their code loads
 * after the caller of `start()` has continued, so it does not delay a start.
 */
export function startLoops(parts: Parts, server: RunningServer, options: LoopOptions): () => Promise<void> {
  if (options.loops.length === 0) return () => Promise.resolve();
  const stopping = new AbortController();
  const running = run(parts, server, options, stopping.signal).catch((error: unknown) => report(error, 'start'));
  return () => {
    stopping.abort(new Error('the control loops are stopping'));
    return running;
  };
}

async function run(parts: Parts, server: RunningServer, options: LoopOptions, signal: AbortSignal): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  if (signal.aborted) return;
  const { clock, random } = parts;
  const { transportOver } = await import('@binnacle/client/transport');
  const connect = ({ user: name, groups, userAgent }: Identity): Transport =>
    transportOver(
      (request, { signal }) => server.send({ ...request, user: { name, uid: '', groups, extra: {} } }, signal),
      // Control loops watch all kinds, including deprecated ones.
      { userAgent, onWarning: () => undefined, clock },
    );
  await parts.runLoops({ ...options, connect, report, clock, random }, signal);
}

function report(error: unknown, where: string): void {
  process.stderr.write(`controllers: ${where}: ${error instanceof Error ? error.message : String(error)}\n`);
}
