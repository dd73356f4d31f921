import { type Clock, sleep } from '@binnacle/apimachinery/clock';

/** Work that holds a thread of Node.js' pool: look-ups of names, and files. */
const ON_A_THREAD = /^(?:GetAddrInfo|GetNameInfo|FS)Req/;
const INTERVAL_MS = 20;

/**
 * Resolves with true when no look-up and no file operation is in progress, and with false if some still are after `limitMs`.
 * `process.exit` joins the threads that carry them out, so until then it would block.
 */
export async function threadsEnd(clock: Clock, limitMs: number): Promise<boolean> {
  const end = clock.monotonic() + limitMs;
  while (process.getActiveResourcesInfo().some((type) => ON_A_THREAD.test(type))) {
    const left = end - clock.monotonic();
    if (left <= 0) return false;
    await sleep(clock, Math.min(INTERVAL_MS, left));
  }
  return true;
}

/** Makes `process.exit` end the process by SIGKILL, also while a thread hangs. Nothing that the store has acknowledged is lost. */
export function killAtExit(): void {
  process.once('exit', () => process.kill(process.pid, 'SIGKILL'));
}
