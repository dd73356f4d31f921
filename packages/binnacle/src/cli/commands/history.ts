import { once, setMaxListeners } from 'node:events';
import { systemClock } from '@binnacle/apimachinery/clock';
import { DiscoveryClient } from '@binnacle/client/discovery';
import { loadConfig } from '@binnacle/client/kubeconfig';
import { connect } from '@binnacle/client/transport';
import { writePrivateFile } from '../../files/index.js';
import { runHistory } from '../../history/index.js';
import type { HistoryRequest } from '../../history/requests/index.js';
import { runCommand } from './run-command.js';
import { untilStopped } from './shutdown.js';
import { printFailure } from './print-message.js';

/** The commands of the history, snapshots and forks: resolves with the exit code. */
export async function history(request: HistoryRequest): Promise<number> {
  if (request.action === 'export' && request.transfer !== undefined) {
    const { exportCommand } = await import('./transfer.js');
    return exportCommand(request, request.transfer);
  }
  const abort = new AbortController();
  // One request for each kind may run at a time.
  setMaxListeners(0, abort.signal);
  // A reader such as head may end before the history does.
  const unread = new Error('no one reads the output');
  process.stdout.on('error', () => abort.abort(unread));
  // Other commands leave nothing on the server, and a signal ends them at once.
  if (request.action === 'bisect') void untilStopped().then(() => abort.abort(new Error('the bisect is stopped')));
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
      runCommand: (command, kubeconfig) => runCommand(command, kubeconfig, abort.signal),
      signal: abort.signal,
    });
    return 0;
  } catch (error) {
    if (abort.signal.reason === unread) return 0;
    printFailure(abort.signal.aborted ? abort.signal.reason : error);
    return 1;
  }
}
