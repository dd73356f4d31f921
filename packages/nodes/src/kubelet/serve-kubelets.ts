import type { Server } from 'node:https';
import type { Socket } from 'node:net';
import { type Clock, sleep } from '@binnacle/apimachinery/clock';
import { isTurnOver, pause } from '@binnacle/apimachinery/turns';
import { delegateTo, readClusterTrust } from '@binnacle/client/delegation';
import { DynamicClient } from '@binnacle/client/dynamic';
import type { Pod } from '@binnacle/client/kinds/core/v1';
import type { Transport } from '@binnacle/client/transport';
import { clusterNetwork } from './cluster-network.js';
import { handedServer } from './handed-server.js';
import { KubeletApi } from './kubelet-api.js';
import type { KubeletApiParts } from './kubelet-api-parts.js';
import { type CreateServer, Listeners } from './listeners.js';

export interface ServeKubeletsOptions extends Pick<KubeletApiParts, 'pods' | 'processes' | 'clock' | 'report'> {
  readonly nodes: readonly string[];
  /** An address of this machine. */
  readonly address: string;
  /** The cluster that authenticates and authorizes clients. */
  readonly cluster: Transport;
  /** Default: servers of this machine. */
  readonly createServer?: CreateServer | undefined;
}

export interface Kubelets {
  /** The port of a node's kubelet. */
  readonly portOf: (node: string) => number | undefined;
  /** Ends all connections. */
  readonly close: () => Promise<void>;
}

/** The most ports that are open. Further nodes share them. */
const MOST_PORTS = 64;
const RETRY = 1000;

/**
 * Listens for the kubelets of nodes. Resolves when the ports are known; connections wait until the certificate is made and the cluster has
 * said which clients it trusts. Rejects with the system's error if the address cannot be listened on.
 */
export async function serveKubelets(options: ServeKubeletsOptions): Promise<Kubelets> {
  const { nodes, address } = options;
  const stopping = new AbortController();
  const nodesAt = new Map<number, string[]>();
  const server = kubeletServer(options, (port) => nodesAt.get(port) ?? [], stopping.signal);
  // Connections that wait for it are closed.
  server.catch(() => undefined);
  const ports = new Map<string, number>();
  const accept = (socket: Socket): void => {
    server.then(
      async (ready) => {
        // Handshakes of many connections at once are spread over several turns of the loop.
        if (isTurnOver()) await pause();
        ready.emit('connection', socket);
      },
      () => socket.destroy(),
    );
  };
  const count = Math.min(nodes.length, MOST_PORTS);
  const listeners = await Listeners.open(address, count, accept, options.createServer).catch((error: unknown) => {
    stopping.abort(error);
    throw error;
  });
  nodes.forEach((node, index) => {
    const port = listeners.ports[index % listeners.ports.length] ?? 0;
    ports.set(node, port);
    nodesAt.set(port, [...(nodesAt.get(port) ?? []), node]);
  });
  return {
    portOf: (node) => ports.get(node),
    close: async () => {
      stopping.abort(new Error('the nodes are stopping'));
      await listeners.close();
    },
  };
}

/** The server to which the listeners hand their connections. It closes when the signal fires. */
export async function kubeletServer(
  { cluster, address, ...parts }: Omit<ServeKubeletsOptions, 'nodes'>,
  nodesAt: KubeletApiParts['nodesAt'],
  signal: AbortSignal,
): Promise<Server> {
  const { clock, report } = parts;
  const authority = await clientAuthority(cluster, { clock, report, signal });
  const { createIssuer } = await import('@binnacle/client/certificates');
  const issuer = await createIssuer('binnacle-kubelet-ca', clock.now());
  const { certificate: cert, privateKey: key } = issuer.issueServing('system:node', [address, 'localhost']);
  signal.throwIfAborted();
  const delegation = delegateTo(cluster, clock);
  const client = new DynamicClient(cluster);
  const networkOf = ({ metadata }: Pod) => clusterNetwork(client, metadata.namespace ?? '');
  const api = new KubeletApi({ ...parts, nodesAt, delegation, networkOf, signal });
  // Without an authority Node.js would trust those of the system.
  const clients = authority === undefined ? {} : { ca: authority, requestCert: true, rejectUnauthorized: false };
  const server = handedServer({ cert, key, ...clients });
  signal.addEventListener('abort', () => server.close(), { once: true });
  server.on('request', (request, response) => void api.answer(request, response));
  server.on('upgrade', (request, socket, head) => void api.upgrade(request, socket, head));
  return server;
}

/** Asks until the cluster answers. Rejects with the signal's reason. */
async function clientAuthority(
  cluster: Transport,
  {
    clock,
    report,
    signal,
  }: { readonly clock: Clock; readonly report: (error: unknown) => void; readonly signal: AbortSignal },
): Promise<string | undefined> {
  for (;;) {
    try {
      return (await readClusterTrust(cluster)).clientAuthority;
    } catch (error) {
      signal.throwIfAborted();
      report(error);
      await sleep(clock, RETRY, signal);
    }
  }
}
