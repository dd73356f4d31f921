import { Buffer } from 'node:buffer';
import type { WebhookClientConfig } from '@binnacle/api/types/admissionregistration-v1';
import { hostPortOf } from './call-target.js';
import { CredentialedConnections } from './credentialed-connections.js';
import { WebhookClient, type WebhookClientOptions } from './webhook-client.js';
import { WebhookConnections } from './webhook-connections.js';
import { credentialsForHost, type WebhookUsers } from './webhook-users.js';

/** Upstream: `defaultCacheSize` of apiserver `pkg/util/webhook/client.go`. */
const CAPACITY = 200;

export interface WebhookClientsOptions extends WebhookClientOptions {
  /** The credentials that this server shows to webhooks. Default: none. */
  readonly users?: WebhookUsers | undefined;
}

/** The clients of webhooks by their address, so that webhooks at the same address share connections. */
export class WebhookClients {
  readonly #options: WebhookClientsOptions;
  /** The least recently used first. */
  readonly #clients = new Map<string, WebhookClient>();

  constructor(options: WebhookClientsOptions) {
    this.#options = options;
  }

  of(config: WebhookClientConfig): WebhookClient {
    const { url, service, caBundle } = config;
    const key = JSON.stringify([url, service, caBundle]);
    const client = this.#clients.get(key) ?? createWebhookClient(config, this.#options);
    this.#clients.delete(key);
    this.#clients.set(key, client);
    this.#evict();
    return client;
  }

  /** Closes the connections after the calls in progress. */
  close(): void {
    for (const client of this.#clients.values()) client.close();
    this.#clients.clear();
  }

  #evict(): void {
    for (const [key, client] of this.#clients) {
      if (this.#clients.size <= CAPACITY) return;
      this.#clients.delete(key);
      client.close();
    }
  }
}

export function createWebhookClient(config: WebhookClientConfig, options: WebhookClientsOptions): WebhookClient {
  const caBundle = Buffer.from(config.caBundle ?? '', 'base64').toString('utf8');
  const credentials = options.users && credentialsForHost(hostPortOf(config), options.users);
  const connections =
    credentials === undefined
      ? new WebhookConnections({ caBundle }, options)
      : new CredentialedConnections({ ...credentials, certificateAuthority: caBundle }, options);
  return new WebhookClient(config, options, connections);
}
