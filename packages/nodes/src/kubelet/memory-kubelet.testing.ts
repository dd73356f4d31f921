import { createServer, type IncomingMessage, type OutgoingHttpHeaders, request, type Server } from 'node:http';
import { duplexPair } from 'node:stream';
import { text } from 'node:stream/consumers';
import { settle, VirtualClock } from '@binnacle/apimachinery/clock';
import type { DelegatedAttributes } from '@binnacle/client/delegation';
import type { Pod } from '@binnacle/client/kinds/core/v1';
import { KubeletApi } from './kubelet-api.js';
import type { KubeletApiParts } from './kubelet-api-parts.js';
import { STARTED } from './simulated-pods.testing.js';

export interface MemoryCall {
  readonly method?: string;
  readonly token?: string;
  readonly headers?: OutgoingHttpHeaders;
}

/**
 * The API of a kubelet over connections in memory, five seconds after its containers have started. The cluster knows the tokens
 * `admin` and `reader`, and lets only `admin` do something.
 */
export class MemoryKubelet {
  readonly clock = new VirtualClock(STARTED + 5000, passed);
  readonly stopping = new AbortController();
  readonly pods: Pod[] = [];
  readonly reports: string[] = [];
  /** The rights that the cluster was asked about. */
  readonly asked: DelegatedAttributes[] = [];
  readonly #server: Server;

  constructor(nodes: readonly string[], parts: Partial<KubeletApiParts> = {}) {
    const api = new KubeletApi({
      pods: {
        find: (namespace, name) =>
          this.pods.find(({ metadata }) => metadata.namespace === namespace && metadata.name === name),
        ofNode: (node) => this.pods.filter(({ spec }) => spec?.nodeName === node),
      },
      nodesAt: () => nodes,
      delegation: {
        userOf: async (token) =>
          ['admin', 'reader'].includes(token) ? { name: token, uid: '', groups: [], extra: {} } : undefined,
        authorize: async (attributes) => {
          this.asked.push(attributes);
          return { allowed: attributes.user.name === 'admin', reason: '' };
        },
      },
      clock: this.clock,
      report: (error) => this.reports.push(String(error)),
      signal: this.stopping.signal,
      ...parts,
    });
    this.#server = createServer((incoming, response) => void api.answer(incoming, response));
    this.#server.on('upgrade', (incoming, socket, head) => void api.upgrade(incoming, socket, head));
  }

  /** Resolves to the answer when its head has come, to an upgrade as well. */
  send(path: string, { method = 'GET', token = 'admin', headers = {} }: MemoryCall = {}): Promise<IncomingMessage> {
    const [client, accepted] = duplexPair();
    // The sides of a pair do not tell each other that they are destroyed.
    client.once('close', () => accepted.destroy());
    accepted.once('close', () => client.push(null));
    this.#server.emit('connection', accepted);
    return new Promise((resolve, reject) => {
      const sent = request({
        path,
        method,
        headers: { host: 'kubelet', authorization: `Bearer ${token}`, ...headers },
        createConnection: () => client,
      });
      sent.on('response', resolve).on('error', reject);
      sent.on('upgrade', (answer, socket) => {
        socket.destroy();
        resolve(answer);
      });
      sent.end();
    });
  }

  /** Resolves to the code and the text of the answer. */
  async call(path: string, given: MemoryCall = {}): Promise<[number | undefined, string]> {
    const answer = await this.send(path, given);
    return [answer.statusCode, await text(answer)];
  }
}

/** Enough turns for bytes to pass the connection both ways. */
async function passed(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await settle();
}
