import type { ClientRequest } from 'node:http';
import { type RequestOptions, request } from 'node:https';
import { X509Certificate } from 'node:crypto';
import { certificateBlocks } from '@binnacle/apimachinery/certificaterequests';
import { type Egress, EgressAgent, limitInterimAnswers } from '../egress/index.js';
import type { BackendRequest, SentHeaders } from '../proxying/index.js';
import type { ServiceResolver } from '../webhooks/index.js';
import type { BackendReference } from './registered-service.js';

/** PEM: how this server proves to extension API servers that it may name users to them. */
export interface ProxyIdentity {
  readonly certificate: string;
  readonly privateKey: string;
}

export interface BackendsOptions {
  readonly resolve: ServiceResolver;
  readonly egress: Egress;
  readonly identity: ProxyIdentity | undefined;
}

/** The current address of a backend. */
export interface BackendAddress {
  readonly host: string;
  readonly port: number;
  /** `host:port`. */
  readonly authority: string;
}

const MAXIMUM_IDLE_CONNECTIONS = 32;

/**
 * The connections to extension API servers. Those of one APIService are kept and reused until its address or its
 * verification changes.
 */
export class Backends {
  readonly #options: BackendsOptions;
  readonly #kept = new Set<string>();
  readonly #agents = new Map<string, { readonly key: string; readonly agent: EgressAgent }>();

  constructor(options: BackendsOptions) {
    this.#options = options;
  }

  /** Rejects when the service has no address. */
  async address({ namespace, name, port: wanted }: BackendReference): Promise<BackendAddress> {
    const { host, port } = await this.#options.resolve({ namespace, name, port: wanted });
    return { host, port, authority: `${host.includes(':') ? `[${host}]` : host}:${String(port)}` };
  }

  /** Opens a request; the caller ends it. Throws for a bundle of authorities that cannot be used. */
  open(service: string, reference: BackendReference, address: BackendAddress, sent: BackendRequest): ClientRequest {
    const opened = request({
      agent: this.#agentOf(service, reference),
      host: address.host,
      port: address.port,
      servername: serverNameOf(reference),
      method: sent.method,
      path: sent.url,
      headers: sent.headers as RequestOptions['headers'] & SentHeaders,
      signal: sent.signal,
    });
    // HTTP/1.1 keeps connections by default, and upstream sends no header for that.
    if (sent.headers['connection'] === undefined) opened.removeHeader('connection');
    return limitInterimAnswers(opened);
  }

  /** Keeps connections of an APIService from now on. */
  keep(service: string): void {
    this.#kept.add(service);
  }

  /** Closes the idle connections of an APIService, and keeps no more. Those in use end with their requests. */
  forget(service: string): void {
    this.#kept.delete(service);
    this.#retire(service);
  }

  #retire(service: string): void {
    const known = this.#agents.get(service);
    this.#agents.delete(service);
    if (known !== undefined) retire(known.agent);
  }

  close(): void {
    for (const { agent } of this.#agents.values()) agent.destroy();
    this.#agents.clear();
  }

  #agentOf(service: string, reference: BackendReference): EgressAgent {
    const key = JSON.stringify(reference);
    const known = this.#agents.get(service);
    if (known?.key === key) return known.agent;
    const agent = this.#createAgent(reference);
    this.#retire(service);
    // The APIService may have been deleted since its request began.
    if (this.#kept.has(service)) this.#agents.set(service, { key, agent });
    else retire(agent);
    return agent;
  }

  #createAgent({ caBundle, insecure }: BackendReference): EgressAgent {
    const { identity, egress } = this.#options;
    return new EgressAgent(egress, {
      keepAlive: true,
      maxFreeSockets: MAXIMUM_IDLE_CONNECTIONS,
      ...(identity === undefined ? {} : { cert: identity.certificate, key: identity.privateKey }),
      ...(insecure ? { rejectUnauthorized: false } : {}),
      ...(caBundle === '' ? {} : { ca: authoritiesIn(caBundle), allowPartialTrustChain: true }),
    });
  }
}

/** Requests in progress keep their connections. */
function retire(agent: EgressAgent): void {
  agent.maxFreeSockets = 0;
  for (const sockets of Object.values(agent.freeSockets)) for (const socket of sockets ?? []) socket.destroy();
}

function authoritiesIn(bundle: string): string[] {
  const blocks = certificateBlocks(bundle);
  if (blocks.length === 0) throw new Error('unable to load root certificates: unable to parse bytes as PEM block');
  return blocks.map((block) => new X509Certificate(block).toString());
}

function serverNameOf({ namespace, name }: BackendReference): string {
  return `${name}.${namespace}.svc`;
}
