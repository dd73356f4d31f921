import { isIP } from 'node:net';
import type { Command } from 'commander';
import { MOST_NODES } from '@binnacle/nodes/node/limits';
import { invalid, kubeconfigOption, parseNumber, parseSwitch, valueOption } from './option-values.js';

/** The arguments of `binnacle nodes`. */
export interface NodesRequest {
  /** From 1 to 5000. */
  readonly count: number;
  /** Default: found like kubectl's. */
  readonly kubeconfig?: string;
  /** An address of this machine, which the API server reaches. Default: `127.0.0.1`. */
  readonly kubeletAddress?: string;
  /** Whether `metrics.k8s.io` is served, unless another server does. */
  readonly metrics: boolean;
}

export function defineNodes(program: Command, found: (request: NodesRequest) => void): void {
  program
    .command('nodes')
    .description(
      'run simulated nodes, whose pods run without containers, against the server of a kubeconfig, until SIGTERM or SIGINT',
    )
    .addOption(
      valueOption(
        '--count <NUMBER>',
        `the number of nodes, which are named node-0 and so on, from 1 to ${MOST_NODES} (default: 1)`,
        parseNumber,
      ),
    )
    .addOption(kubeconfigOption('server and administrator for all nodes'))
    .option(
      '--kubelet-address <ADDRESS>',
      'an IP address of this machine at which the API server reaches it: all nodes have this address, and their kubelets listen there (default: kubelets listen on 127.0.0.1, and each node has an address of its own that no client can reach)',
    )
    .addOption(
      valueOption(
        '--metrics [BOOLEAN]',
        'serve the usage of simulated pods and nodes as metrics.k8s.io, unless another server does (default: true)',
        parseSwitch,
      ),
    )
    .action((given: Partial<NodesRequest>) => {
      const request = { count: 1, metrics: true, ...given };
      const { count, kubeletAddress } = request;
      if (count < 1 || count > MOST_NODES) throw invalid(`--count must be from 1 to ${MOST_NODES}`);
      if (kubeletAddress !== undefined && isIP(kubeletAddress) === 0) {
        throw invalid('--kubelet-address must be an IP address');
      }
      found(request);
    });
}
