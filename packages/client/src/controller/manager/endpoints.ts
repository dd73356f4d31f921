import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { messageOf } from '@binnacle/apimachinery/errors';
import { formatText, type MetricRegistry, TEXT_FORMAT } from '@binnacle/apimachinery/metrics';
import { type HealthCheck, runChecks } from './health.js';
import type { Runnable } from '../runnable.js';

export interface EndpointsOptions {
  /** 0 chooses a free port. */
  readonly port: number;
  /** Default: 127.0.0.1, which only this machine reaches. In a pod, probes and scrapes need `0.0.0.0` or `::`. */
  readonly host?: string;
  /** Called with the URL once the server listens. */
  readonly listening?: (url: URL) => void;
  /** Additional checks of `/healthz`. A failing check should lead to a restart of the process. */
  readonly health?: readonly HealthCheck[];
  /** Checks of `/readyz`. */
  readonly readiness?: readonly HealthCheck[];
}

/** `/healthz`, `/readyz` and `/metrics` over plain HTTP. `run` rejects if it cannot listen. */
export class Endpoints implements Runnable {
  readonly name = 'endpoints';
  readonly #options: EndpointsOptions;
  readonly #metrics: MetricRegistry;
  readonly #checks: ReadonlyMap<string, readonly HealthCheck[]>;

  constructor(options: EndpointsOptions, metrics: MetricRegistry) {
    this.#options = options;
    this.#metrics = metrics;
    const { health = [], readiness = [] } = options;
    this.#checks = new Map([
      ['healthz', [{ name: 'ping', check: () => undefined }, ...health]],
      ['readyz', readiness],
    ]);
  }

  async run(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const { port, host = '127.0.0.1', listening } = this.#options;
    const server = createServer((request, response) => {
      void this.#serve(request, response);
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.once('close', resolve);
      signal.addEventListener('abort', () => server.listening && close(server), { once: true });
      server.listen({ port, host }, () => {
        if (signal.aborted) close(server);
        else listening?.(urlOf(server));
      });
    });
  }

  /** Never rejects: an error becomes a response of 500. */
  async #serve({ method, url = '/' }: IncomingMessage, response: ServerResponse): Promise<void> {
    if (method !== 'GET' && method !== 'HEAD') {
      respond(response, 405, 'only GET and HEAD\n', { allow: 'GET, HEAD' });
      return;
    }
    const [, root = '', ...rest] = (url.split('?')[0] ?? '').split('/');
    try {
      if (root === 'metrics' && rest.length === 0) {
        const text = formatText(await this.#metrics.gather());
        respond(response, 200, text, { 'content-type': TEXT_FORMAT });
        return;
      }
      const checks = this.#checks.get(root);
      const result = checks === undefined ? undefined : await runChecks(checks, rest.join('/'));
      if (result === undefined) respond(response, 404, 'not found\n');
      else respond(response, result.passed ? 200 : 500, result.text);
    } catch (error) {
      respond(response, 500, `${messageOf(error)}\n`);
    }
  }
}

function respond(response: ServerResponse, status: number, text: string, headers: Record<string, string> = {}): void {
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'x-content-type-options': 'nosniff',
    ...headers,
  });
  response.end(text);
}

function close(server: Server): void {
  server.close();
  server.closeAllConnections();
}

function urlOf(server: Server): URL {
  const { address, port, family } = server.address() as AddressInfo;
  return new URL(`http://${family === 'IPv6' ? `[${address}]` : address}:${port}`);
}
