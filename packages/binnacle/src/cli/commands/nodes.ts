import { systemClock, systemRandom } from '@binnacle/apimachinery/clock';
import { messageOf } from '@binnacle/apimachinery/errors';
import { loadConfig } from '@binnacle/client/kubeconfig';
import { connect } from '@binnacle/client/transport';
import { runNodes } from '@binnacle/nodes';
import type { NodesRequest } from '../arguments/nodes-request.js';
import { printFailure, printMessage } from './print-message.js';
import { untilStopped } from './shutdown.js';
import { surviveUnwritableOutput } from './unwritable-output.js';

const LOOPBACK = '127.0.0.1';

/** `binnacle nodes`: resolves with the exit code when the nodes have stopped. */
export async function nodes({ count, kubeconfig, kubeletAddress, metrics }: NodesRequest): Promise<number> {
  surviveUnwritableOutput();
  const stopping = new AbortController();
  void untilStopped().then(() => stopping.abort(new Error('the nodes are stopping')));
  try {
    const config = await loadConfig(kubeconfig === undefined ? {} : { path: kubeconfig });
    process.stdout.write(`Running ${count} simulated ${count === 1 ? 'node' : 'nodes'} for ${config.server}\n`);
    // All nodes share one connection, and so one user: a certificate for each node would take a signer's approval.
    await using transport = connect(config, { userAgent: 'kubelet/binnacle', onWarning: () => undefined });
    await runNodes(
      {
        count,
        kubelet: { address: kubeletAddress ?? LOOPBACK, isOnlyAddress: kubeletAddress !== undefined },
        ...(metrics ? { metricsAddress: kubeletAddress ?? LOOPBACK } : {}),
        connect: () => transport,
        report: (error, where) => printMessage(`${where}: ${messageOf(error)}`),
        clock: systemClock,
        random: systemRandom,
      },
      stopping.signal,
    );
    return 0;
  } catch (error) {
    printFailure(error);
    return 1;
  }
}
