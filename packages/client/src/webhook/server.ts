import { type Clock, repeat, sleep, systemClock } from '@binnacle/apimachinery/clock';
import { buildFrom, type DisposalStack } from '@binnacle/apimachinery/disposal';
import { once } from 'node:events';
import type { Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:https';
import { warnOfError } from '../rest/index.js';
import { type CaInjectionTargets, CaInjector } from './ca-injector.js';
import { certificateFiles } from './certificate-files.js';
import type { CertificateSource } from './certificate-source.js';
import { generatedCertificates } from './generated-certificates.js';
import { requestListener } from './request-listener.js';
import type { Webhook } from './webhook.js';

export interface ServeWebhooksOptions {
  readonly webhooks: readonly Webhook[];
  /** The address to listen on. Default: all. */
  readonly host?: string;
  /** 0: a free port. Default: 9443. */
  readonly port?: number;
  /**
   * `hosts`: the server generates a certificate for these DNS names and IP addresses, such as `foos.default.svc`, and
   * renews it. `directory`: it reads `tls.crt`, `tls.key` and `ca.crt`, and reads them again when they change.
   */
  readonly certificates: { readonly hosts: readonly string[] } | { readonly directory: string };
  /** The objects that get the authority of the certificate as their `caBundle`. Default: none. */
  readonly caBundles?: CaInjectionTargets;
  /** Closes the server. */
  readonly signal?: AbortSignal;
  /** Milliseconds that requests have to end when the server closes. Default: 30000. */
  readonly gracePeriod?: number;
  readonly clock?: Clock;
  /** Called for mistakes in handlers, unreadable requests, and failed renewals. Default: emits a process warning. */
  readonly report?: (error: unknown) => void;
}

export interface WebhookServer extends AsyncDisposable {
  readonly port: number;
  /** The authorities of the certificate; undefined if its directory has no `ca.crt`. */
  readonly caBundle: string | undefined;
  /** Resolves when the server has closed. */
  readonly closed: Promise<void>;
  /** Accepts no further requests and waits for those that run. Idempotent. */
  close(): Promise<void>;
}

/** Serves webhooks over HTTPS. Resolves when it listens and all objects of `caBundles` that exist have the bundle. */
export function serveWebhooks(options: ServeWebhooksOptions): Promise<WebhookServer> {
  return serveWithin(LIMITS, options);
}

/** How long a client may take to send a request, and how often that is checked, in milliseconds. */
export interface RequestLimits {
  readonly requestTimeout: number;
  readonly connectionsCheckingInterval: number;
}

/** API servers wait for at most 30 seconds. Node.js checks every 30 seconds by default, so a request could last a minute. */
const LIMITS: RequestLimits = { requestTimeout: 30_000, connectionsCheckingInterval: 5000 };

/** {@link serveWebhooks} with other limits, for tests. */
export function serveWithin(limits: RequestLimits, options: ServeWebhooksOptions): Promise<WebhookServer> {
  return buildFrom(async (parts) => {
    options.signal?.throwIfAborted();
    const server = new RunningServer(options, limits, parts);
    await server.start();
    return server;
  });
}

class RunningServer implements WebhookServer {
  readonly closed: Promise<void>;
  readonly #options: ServeWebhooksOptions;
  readonly #parts: DisposalStack;
  readonly #clock: Clock;
  readonly #report: (error: unknown) => void;
  readonly #source: CertificateSource;
  readonly #server: Server;
  readonly #stopping = new AbortController();
  #injector: CaInjector | undefined;
  #port = 0;
  #privateKey: string | undefined;
  #caBundle: string | undefined;
  #refreshing: Promise<void> | undefined;
  #markClosed: () => void = () => undefined;

  constructor(options: ServeWebhooksOptions, limits: RequestLimits, parts: DisposalStack) {
    const { certificates, clock = systemClock, report = warnOfError } = options;
    this.#options = options;
    this.#parts = parts;
    this.#clock = clock;
    this.#report = report;
    this.#source =
      'hosts' in certificates ? generatedCertificates(certificates.hosts) : certificateFiles(certificates.directory);
    const listener = requestListener(options.webhooks, report, this.#stopping.signal);
    this.#server = createServer({ ...limits }, listener).on('error', report);
    this.closed = new Promise((resolve) => {
      this.#markClosed = resolve;
    });
  }

  get port(): number {
    return this.#port;
  }

  get caBundle(): string | undefined {
    return this.#caBundle;
  }

  /** Call it once. */
  async start(): Promise<void> {
    const { host, port = 9443, signal } = this.#options;
    const close = () => void this.close().catch(this.#report);
    signal?.addEventListener('abort', close, { once: true });
    this.#parts.defer(() => signal?.removeEventListener('abort', close));
    this.#watchTargets();
    await this.#refresh();
    this.#stopping.signal.throwIfAborted();
    this.#parts.defer(() => this.#end());
    this.#server.listen(port, host);
    await once(this.#server, 'listening');
    this.#port = (this.#server.address() as AddressInfo).port;
    this.#parts.use(repeat(this.#clock, this.#source.interval, () => this.#refreshLater()));
  }

  async close(): Promise<void> {
    this.#stop();
    await this.#parts.dispose();
    this.#markClosed();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #watchTargets(): void {
    const { caBundles } = this.#options;
    if (caBundles === undefined) return;
    const injector = new CaInjector(caBundles, { clock: this.#clock, report: this.#report });
    const running = injector.run(this.#stopping.signal);
    this.#injector = injector;
    this.#parts.defer(() => {
      this.#stop();
      return running;
    });
  }

  #stop(): void {
    this.#stopping.abort(new Error('the server is closing'));
  }

  /** API servers must trust the bundle before they see the certificate, so a failed injection keeps the old one. */
  async #refresh(): Promise<void> {
    const { serving, caBundle } = await this.#source.refresh(this.#clock.now());
    if (this.#injector !== undefined) {
      if (caBundle === undefined) throw new Error('the directory of the certificate has no ca.crt to inject');
      await this.#injector.inject(caBundle, this.#stopping.signal);
    }
    this.#caBundle = caBundle;
    // Connections that are open keep the certificate with which they began.
    if (serving.privateKey === this.#privateKey) return;
    this.#server.setSecureContext({ cert: serving.certificate, key: serving.privateKey });
    this.#privateKey = serving.privateKey;
  }

  #refreshLater(): void {
    this.#refreshing ??= this.#refresh()
      .catch((error: unknown) => void (this.#stopping.signal.aborted || this.#report(error)))
      .finally(() => {
        this.#refreshing = undefined;
      });
  }

  async #end(): Promise<void> {
    const closed = new Promise((resolve) => {
      this.#server.close(resolve);
    });
    this.#server.closeIdleConnections();
    const done = new AbortController();
    const late = sleep(this.#clock, this.#options.gracePeriod ?? 30_000, done.signal).then(
      () => this.#server.closeAllConnections(),
      () => undefined,
    );
    await closed;
    done.abort();
    await Promise.all([late, this.#refreshing]);
  }
}
