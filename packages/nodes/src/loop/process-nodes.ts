import type { Clock } from '@binnacle/apimachinery/clock';
import type { Service } from '@binnacle/client/kinds/core/v1';
import { localServicePlace } from '../node/limits/index.js';
import { ProcessPods, type ServerAddress } from '../workloads/index.js';

/** Nodes whose containers are processes of this machine. */
export interface ProcessNodesOptions {
  /** The nodes `process-node-0` and so on: 1 to `MOST_PROCESS_NODES`. */
  readonly count: number;
  /** The program of each image that runs: `IMAGE=COMMAND`. */
  readonly imageCommands: readonly string[];
  /** Where processes find the server. */
  readonly server: ServerAddress;
}

/** Undefined: none is wanted, or they cannot run, which is reported. */
export async function openProcesses({
  processNodes,
  clock,
  report,
}: {
  readonly processNodes?: ProcessNodesOptions | undefined;
  readonly clock: Clock;
  readonly report: (error: unknown, where: string) => void;
}): Promise<ProcessPods | undefined> {
  if (processNodes === undefined || processNodes.count === 0) return undefined;
  const { imageCommands, server } = processNodes;
  const url = new URL(server.url);
  const port = Number(url.port || 443);
  try {
    return await ProcessPods.open({
      imageCommands,
      server,
      clock,
      serviceAddress: (service, servicePort) =>
        isServer(service)
          ? { host: url.hostname.replace(/^\[|\]$/g, ''), port }
          : localServicePlace(service.spec?.clusterIP ?? '', servicePort),
      report: (error) => report(error, 'processes'),
    });
  } catch (error) {
    report(error, 'processes');
    return undefined;
  }
}

const isServer = ({ metadata: { name, namespace } }: Service): boolean =>
  name === 'kubernetes' && namespace === 'default';
