import { StatusError } from '@binnacle/apimachinery/status';
import { ResourceRouter, type ResourceEndpoint } from '../endpoints/index.js';
import { respondStatus } from '../http/index.js';
import { parseRequestInfo, parseTarget, RequestContext } from '../request/index.js';
import { FakeExchange, type FakeRequest } from './fake-exchange.js';

export interface Answer {
  readonly status: number;
  readonly body: string;
  readonly warnings: readonly string[];
  readonly exchange: FakeExchange;
}

export interface TestRequest extends FakeRequest {
  readonly url: string;
  /** Absent: the anonymous user. */
  readonly user?: RequestContext['user'];
  /** What the authorizer says of the deletion of an unreadable object. Absent: the feature is off. */
  readonly unsafeDeletion?: RequestContext['decideAs'];
}

/**
 * Passes a request to the endpoint as the router does, and waits for the answer; errors become Statuses. No filter
 * runs, so every request is allowed.
 */
export async function answer(
  endpoint: ResourceEndpoint,
  request: TestRequest,
  authorizeAs: RequestContext['authorizeAs'] = () => undefined,
): Promise<Answer> {
  const exchange = new FakeExchange(request);
  const { path, query } = parseTarget(request.url);
  const context = new RequestContext(exchange, path, query, endpoint.clock.now());
  context.authorizeAs = authorizeAs;
  if (request.unsafeDeletion !== undefined) {
    context.decideAs = request.unsafeDeletion;
    context.allowsUnsafeDeletion = true;
  }
  if (request.user !== undefined) context.user = request.user;
  const router = new ResourceRouter((kind) => ['ConfigMap', 'Secret'].includes(kind.kind) && kind.version === 'v1');
  router.add(endpoint);
  try {
    context.info = parseRequestInfo(exchange.method, path, query);
    await router.handlerFor(context.info)?.(context);
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    await respondStatus(context, error);
  }
  return { status: exchange.status, body: exchange.body, warnings: context.warnings, exchange };
}
