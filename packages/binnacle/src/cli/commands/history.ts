import { once, setMaxListeners } from 'node:events';
import { systemClock } from '@binnacle/apimachinery/clock';
import { DiscoveryClient } from '@binnacle/client/discovery';
import { loadConfig } from '@binnacle/client/kubeconfig';
import { connect } from '@binnacle/client/transport';
import { writePrivateFile } from '../../files/index.js';
import { runHistory } from '../../history/index.js';
import type { HistoryRequest } from '../../history/requests/index.js';
import { runCommand } from './run-command.js';

/** The commands of the history, snapshots and forks: resolves with the exit code. */
export async function history(request: HistoryRequest): Promise<number> {
  const abort = new AbortController();
  // One request for each kind may run at a time.
  setMaxListeners(0, abort.signal);
  // A reader such as head may end before the history does.
  process.stdout.on('error', () => abort.abort());
  try {
    const { kubeconfig } = request.scope;
    const config = await loadConfig(kubeconfig === undefined ? {} : { path: kubeconfig });
    await using transport = connect(config, { userAgent: 'binnacle/history', onWarning: () => undefined });
    await runHistory(request, {
      transport,
      discovery: new DiscoveryClient(transport),
      namespace: config.namespace,
      now: () => systemClock.now(),
      print: async (text) => {
        if (!process.stdout.write(text)) await once(process.stdout, 'drain', { signal: abort.signal });
      },
      writeFile: writePrivateFile,
      runCommand,
      signal: abort.signal,
    });
    return 0;
  } catch (error) {
    if (abort.signal.aborted) return 0;
    process.stderr.write(`binnacle: ${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
}
