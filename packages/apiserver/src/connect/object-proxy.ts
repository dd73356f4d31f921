import { serviceUnavailable, StatusError } from '@binnacle/apimachinery/status';
import { posix } from 'node:path';
import {
  type Answer,
  BackendCall,
  copyAnswer,
  encodePath,
  passedHeaders,
  returnedHeaders,
  type RewriteRules,
  rewriteUrl,
} from '../proxying/index.js';
import { pathBehind, type RequestContext, type RequestInfo } from '../request/index.js';
import { describeFailure } from '../webhooks/index.js';
import type { ConnectParts } from './connect-parts.js';
import { authorityOf, type Destination } from './destination.js';
import { hostOf, passUpgrade } from './passed-upgrade.js';
import { cleanedPath } from './proxy-location.js';
import { isHtml, rewrittenBody } from './rewritten-body.js';

type Find = (info: RequestInfo) => Promise<Pick<Destination, 'scheme' | 'host' | 'port' | 'trust' | 'forwarded'>>;

/**
 * The `proxy` subresource of pods, services and nodes: passes any request on, and rewrites links in the answer to lead
 * through itself. Upstream: `ProxyREST`, apimachinery `UpgradeAwareHandler` and `proxy.Transport`.
 */
export function objectProxy(find: Find, parts: ConnectParts): (context: RequestContext) => Promise<void> {
  return async (context) => {
    const { exchange, info } = context;
    const address = await find(info);
    const behind = pathBehind(info);
    const path = cleanedPath(behind);
    // Upstream drops the query of an upgrade.
    if (exchange.upgrade !== undefined) return passUpgrade(context, { ...address, path, query: '' }, parts);
    const [, query = ''] = exchange.url.split(/\?(.*)/s);
    const isRead = exchange.method === 'GET' || exchange.method === 'HEAD';
    if (path === '' && isRead && !info.path.endsWith('/')) {
      return exchange.respond(301, { location: `${encodePath(info.path)}/${query === '' ? '' : `?${query}`}` }, '');
    }
    const destination = { ...address, path: path === '' ? '/' : path, query };
    const rules = rulesOf(context, destination);
    const answer = await send(context, destination, rules, parts);
    return returnAnswer(context, answer, rules);
  };
}

async function send(
  { exchange }: RequestContext,
  to: Destination,
  { prefix }: RewriteRules,
  parts: ConnectParts,
): Promise<Answer> {
  const { signal, method } = exchange;
  const body = exchange.requestBody();
  const uri = posix.join('/', encodePath(prefix), encodePath(to.path));
  const headers = {
    ...passedHeaders(exchange, { userHeaders: parts.userHeaders, upgrade: false, hasBody: body !== undefined }),
    host: hostOf(exchange.headers),
    'x-forwarded-uri': uri,
  };
  try {
    return await new BackendCall(() => parts.connections.open(to, { method, headers, signal })).send(body);
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (error instanceof StatusError) throw error;
    throw serviceUnavailable(`error trying to reach service: ${describeFailure(error)}`);
  }
}

async function returnAnswer(
  context: RequestContext,
  { message, upgraded }: Answer,
  rules: RewriteRules,
): Promise<void> {
  if (upgraded !== undefined) {
    upgraded.socket.destroy();
    throw serviceUnavailable('error trying to reach service: the backend switched protocols unasked');
  }
  const headers = returnedHeaders(message.headers);
  const { location } = message.headers;
  if (location !== undefined && location !== '') {
    return copyAnswer(context, message, { ...headers, location: rewriteUrl(location, rules) });
  }
  const body =
    isHtml(message.headers) && context.exchange.method !== 'HEAD' ? rewrittenBody(message, rules) : undefined;
  if (body === undefined) return copyAnswer(context, message, headers);
  delete headers['content-length'];
  return copyAnswer(context, message, headers, body);
}

/** The prefix is the part of the request's path that leads to the backend's root. */
function rulesOf({ exchange, info }: RequestContext, to: Destination): RewriteRules {
  const suffix = info.path.endsWith('/') && !to.path.endsWith('/') ? `${to.path}/` : to.path;
  const prefix = info.path.endsWith(suffix) ? info.path.slice(0, info.path.length - suffix.length) : info.path;
  return { prefix, hosts: [authorityOf(to), to.host, hostOf(exchange.headers)] };
}
