import type { Clock } from '@binnacle/apimachinery/clock';
import type { JsonObject } from '@binnacle/apimachinery/json';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import { DynamicClient } from '@binnacle/client/dynamic';
import { FakeStore, ScriptedTransport } from '@binnacle/client/testing';
import type { Clients } from './pod-contents.js';

/** How long the tokens of a {@link PodCluster} last, in milliseconds. */
export const TOKEN_LIFE = 3_600_000;

/** Those of the namespace of the pods. */
const SERVICES: JsonObject = { apiVersion: 'v1', kind: 'ServiceList', metadata: { resourceVersion: '1' }, items: [] };

/** A cluster of which the objects of pods are read. Its tokens are `token-1`, `token-2` and so on. */
export class PodCluster {
  readonly clients: Clients;
  /** The bodies of the token requests. */
  readonly tokens: unknown[] = [];
  readonly #store = new FakeStore();

  constructor(clock: Clock) {
    const transport = new ScriptedTransport((request) => {
      if (request.method === 'GET' && request.path.endsWith('/n/services')) return { object: SERVICES };
      if (!request.path.endsWith('/token')) return this.#store.answer(request);
      this.tokens.push(JSON.parse(String(request.body)));
      const expirationTimestamp = new Date(clock.now() + TOKEN_LIFE).toISOString();
      const status = { token: `token-${this.tokens.length}`, expirationTimestamp };
      return { status: 201, object: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', status } };
    });
    const client = new DynamicClient(transport);
    this.clients = { reader: client, node: client };
    this.add('/api/v1/namespaces/default/services', service('kubernetes', 'default', 443));
  }

  /** An object as another program has made it. */
  add(path: string, object: KubernetesObject): void {
    this.#store.answer({ method: 'POST', path, body: JSON.stringify(object) });
  }
}

const service = (name: string, namespace: string, port: number): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name, namespace, uid: `service-${name}` },
  spec: { clusterIP: '10.0.0.1', ports: [{ port }] },
});
