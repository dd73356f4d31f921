import type { IncomingMessage, ServerResponse } from 'node:http';
import type { NodeHealth, ServiceHealth } from './traffic-plan.js';

interface Answer {
  readonly code: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const HEADERS = { 'content-type': 'application/json', 'x-content-type-options': 'nosniff' };

/** Upstream: `hcHandler` of `pkg/proxy/healthcheck`. */
export function serviceHealthAnswer({ namespace, name, endpoints }: Omit<ServiceHealth, 'place'>): Answer {
  const body = { service: { namespace, name }, localEndpoints: endpoints, serviceProxyHealthy: true };
  return {
    code: endpoints > 0 ? 200 : 503,
    headers: { ...HEADERS, 'x-load-balancing-endpoint-weight': String(endpoints) },
    body: JSON.stringify(body, undefined, '\t'),
  };
}

/** `now`: milliseconds since the epoch. Undefined: there is no such path. Upstream: `healthzHandler`, `livezHandler`. */
export function nodeHealthAnswer(
  path: string,
  { isEligible }: Omit<NodeHealth, 'place'>,
  now: number,
): Answer | undefined {
  if (path !== '/healthz' && path !== '/livez') return undefined;
  const time = new Date(now).toISOString();
  const eligibility = path === '/healthz' ? { nodeEligible: isEligible } : {};
  const health = { lastUpdated: time, currentTime: time, ...eligibility, healthy: true };
  const status = { IPv4: { lastUpdated: time, healthy: true } };
  const code = path === '/livez' || isEligible ? 200 : 503;
  return { code, headers: HEADERS, body: JSON.stringify({ ...health, status }) };
}

/** Writes an answer; `undefined` is a 404. */
export function sendHealth(request: IncomingMessage, response: ServerResponse, answer: Answer | undefined): void {
  request.resume();
  const { code = 404, headers = {}, body = '404 page not found\n' } = answer ?? {};
  response.writeHead(code, headers).end(body);
}
