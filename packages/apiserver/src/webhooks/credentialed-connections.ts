import type { Target } from './call-target.js';
import type { WebhookAnswer } from './webhook-answer.js';
import { WebhookConnections, type WebhookConnectionsOptions } from './webhook-connections.js';

/** The credentials of the server for a service. */
export interface ServiceCredentials {
  /** The `Authorization` header. */
  readonly authorization?: string | undefined;
  /** PEM. */
  readonly clientCertificate?: string | undefined;
  readonly clientKey?: string | undefined;
}

/** Where the credentials for a service come from. */
export interface CallCredentials {
  /** Called before each request. Returns the same object until the credentials change. */
  readonly credentials: (signal: AbortSignal) => ServiceCredentials | Promise<ServiceCredentials>;
  /** The service answered 401 to these credentials. */
  readonly rejected?: ((credentials: ServiceCredentials) => void) | undefined;
}

/** How to trust a service, and how to prove this server's identity to it. */
export interface CredentialedTrust extends CallCredentials {
  /** PEM. Default: the authorities of the system. */
  readonly certificateAuthority?: string | undefined;
  /** The name in the certificate of the service. Default: the host. */
  readonly serverName?: string | undefined;
  /** Whether to accept any certificate of the service. Default: false. */
  readonly skipsVerification?: boolean | undefined;
}

/** The connections of one service. A new client certificate needs new ones. */
export class CredentialedConnections {
  readonly #config: CredentialedTrust;
  readonly #options: WebhookConnectionsOptions;
  #current: { readonly certificate: string | undefined; readonly connections: WebhookConnections } | undefined;

  constructor(config: CredentialedTrust, options: WebhookConnectionsOptions) {
    this.#config = config;
    this.#options = options;
  }

  async exchange(target: Target, body: readonly Uint8Array[] | undefined, signal: AbortSignal): Promise<WebhookAnswer> {
    const { serverName = target.serverName, rejected } = this.#config;
    const credentials = await this.#config.credentials(signal);
    const { authorization } = credentials;
    const answer = await this.#connectionsFor(credentials).exchange(
      { ...target, serverName, authorization },
      body,
      signal,
    );
    if (answer.status === 401) rejected?.(credentials);
    return answer;
  }

  close(): void {
    this.#current?.connections.close();
  }

  #connectionsFor({ clientCertificate, clientKey }: ServiceCredentials): WebhookConnections {
    const { certificateAuthority: caBundle = '', skipsVerification } = this.#config;
    if (this.#current?.certificate !== clientCertificate) {
      this.#current?.connections.close();
      this.#current = undefined;
    }
    const trust = { caBundle, clientCertificate, clientKey, skipsVerification };
    this.#current ??= { certificate: clientCertificate, connections: new WebhookConnections(trust, this.#options) };
    return this.#current.connections;
  }
}
