import { systemClock } from '@binnacle/apimachinery/clock';
import { loadConfig } from '@binnacle/client/kubeconfig';
import { connect } from '@binnacle/client/transport';
import { runTop } from '@binnacle/console/terminal';
import type { TopRequest } from '../arguments/top-request.js';
import { untilStopped } from './shutdown.js';
import { printFailure } from './print-message.js';

/** Lines and columns where the output is not a terminal. */
const PLAIN = { columns: 200, rows: 40 };
const CLEAR = '\u001b[H\u001b[2J';

/** `binnacle top`: resolves with the exit code when a signal stops it, or after one screen. */
export async function top({ kubeconfig, context, once = false }: TopRequest): Promise<number> {
  const { stdout } = process;
  const stopping = new AbortController();
  void untilStopped().then(() => stopping.abort(new Error('top is stopping')));
  // A reader such as head may end first.
  stdout.on('error', () => stopping.abort(new Error('no one reads the output')));
  try {
    const config = await loadConfig({
      ...(kubeconfig === undefined ? {} : { path: kubeconfig }),
      ...(context === undefined ? {} : { context }),
    });
    await using transport = connect(config, { userAgent: 'binnacle-top', onWarning: () => undefined });
    const isLive = stdout.isTTY && !once;
    const options = {
      transport,
      server: config.server,
      clock: systemClock,
      once: !isLive,
      // The last line stays free, so that the terminal does not scroll.
      size: () => (isLive ? { columns: stdout.columns, rows: stdout.rows - 1 } : PLAIN),
      show: (lines: readonly string[]) => void stdout.write(`${isLive ? CLEAR : ''}${lines.join('\n')}\n`),
    };
    await runTop(options, stopping.signal);
    return 0;
  } catch (error) {
    if (stopping.signal.aborted) return 0;
    printFailure(error);
    return 1;
  }
}
