import { Buffer } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { type Clock, Deadline } from '@binnacle/apimachinery/clock';
import type { WebhookClientConfig } from '@binnacle/api/types/apiextensions-v1';
import { type Egress, EgressAgent } from '../egress/index.js';
import { describeFailure, describeStatus, failureIn, WebhookCallError } from './call-error.js';
import type { ServiceResolver } from './service-resolver.js';

export interface WebhookClientOptions {
  readonly resolve: ServiceResolver;
  /** The addresses that may be called. */
  readonly egress: Egress;
  /** The time limit of a whole call. */
  readonly timeoutSeconds: number;
  readonly maximumAnswerBytes: number;
  readonly clock: Clock;
}

/** The maximum of concurrent calls; others wait. */
const CONNECTIONS = 32;
/** The part of an error response that the message includes. */
const SHOWN_BYTES = 2048;
const DEFAULT_PORT = 443;

interface Target {
  /** The URL in error messages. */
  readonly url: string;
  readonly host: string;
  readonly port: number;
  readonly path: string;
  readonly serverName: string | undefined;
  readonly authority: string;
}

/** A client for one webhook: posts JSON to the configured address over persistent connections. */
export class WebhookClient {
  readonly #config: WebhookClientConfig;
  readonly #options: WebhookClientOptions;
  readonly #agent: EgressAgent;
  #underWay = 0;
  #closed = false;

  constructor(config: WebhookClientConfig, options: WebhookClientOptions) {
    this.#config = config;
    this.#options = options;
    const bundle = Buffer.from(config.caBundle ?? '', 'base64').toString('utf8');
    this.#agent = new EgressAgent(options.egress, {
      keepAlive: true,
      maxSockets: CONNECTIONS,
      maxFreeSockets: CONNECTIONS,
      ...(bundle.trim() === '' ? {} : { ca: bundle }),
    });
  }

  /** Posts JSON and resolves with the response body. Rejects with a {@link WebhookCallError}. */
  async post(body: Uint8Array): Promise<Buffer> {
    const { timeoutSeconds, clock } = this.#options;
    const named = this.#named(`?timeout=${String(timeoutSeconds)}s`);
    using limit = new Deadline(clock, timeoutSeconds * 1000, undefined, named.url);
    const { signal: deadline } = limit;
    this.#underWay++;
    try {
      const target = await this.#reached(named, deadline);
      return await this.#exchange(target, body, deadline);
    } catch (error) {
      if (error instanceof AnsweredError) throw error;
      throw new WebhookCallError(`Post "${named.url}": ${describeFailure(error, deadline.aborted)}`, { cause: error });
    } finally {
      this.#underWay--;
      this.#closeWhenIdle();
    }
  }

  /** Closes the connections after the calls in progress. */
  close(): void {
    this.#closed = true;
    this.#closeWhenIdle();
  }

  #closeWhenIdle(): void {
    if (this.#closed && this.#underWay === 0) this.#agent.destroy();
  }

  #named(query: string): Target {
    const { service, url } = this.#config;
    if (service !== undefined) {
      const { name, namespace, port = DEFAULT_PORT, path = '' } = service;
      const serverName = `${name}.${namespace}.svc`;
      const authority = `${serverName}:${String(port)}`;
      const fullPath = `/${path.replace(/^\/+/, '')}${query}`;
      return { url: `https://${authority}${fullPath}`, host: serverName, port, path: fullPath, serverName, authority };
    }
    const { host, hostname, port, pathname } = new URL(url ?? '');
    const path = `${pathname}${query}`;
    return {
      url: `https://${host}${path}`,
      host: hostname.replace(/^\[|\]$/g, ''),
      port: Number(port || DEFAULT_PORT),
      path,
      serverName: undefined,
      authority: host,
    };
  }

  async #reached(target: Target, deadline: AbortSignal): Promise<Target> {
    const { service } = this.#config;
    if (service === undefined) return target;
    const address = await this.#options.resolve(service);
    deadline.throwIfAborted();
    return { ...target, ...address };
  }

  #exchange({ host, port, path, serverName, authority }: Target, body: Uint8Array, signal: AbortSignal) {
    return new Promise<Buffer>((resolve, reject) => {
      const sent = request({
        agent: this.#agent,
        method: 'POST',
        host,
        port,
        path,
        signal,
        ...(serverName === undefined ? {} : { servername: serverName }),
        headers: {
          host: authority,
          accept: 'application/json, */*',
          'content-type': 'application/json',
          'content-length': String(body.length),
        },
      });
      sent.on('error', reject);
      sent.on('response', (answer) => {
        this.#read(answer).then(resolve, (error: Error) => {
          sent.destroy();
          reject(error);
        });
      });
      sent.end(body);
    });
  }

  async #read(answer: IncomingMessage): Promise<Buffer> {
    const { maximumAnswerBytes } = this.#options;
    const status = answer.statusCode ?? 0;
    const pieces: Buffer[] = [];
    let length = 0;
    for await (const piece of answer as AsyncIterable<Buffer>) {
      length += piece.length;
      if (length > maximumAnswerBytes) {
        throw new Error(`the answer is longer than ${String(maximumAnswerBytes)} bytes`);
      }
      pieces.push(piece);
    }
    const body = Buffer.concat(pieces);
    if (status >= 200 && status < 300) return body;
    const shown = body.subarray(0, SHOWN_BYTES).toString('utf8').trim();
    throw new AnsweredError(failureIn(body) ?? describeStatus(status, shown));
  }
}

/** The server responded with an error; the message therefore omits the request. */
class AnsweredError extends WebhookCallError {}
