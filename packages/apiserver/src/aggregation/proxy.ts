import { type Clock, Deadline } from '@binnacle/apimachinery/clock';
import { withoutEnding } from '@binnacle/apimachinery/json';
import { respondText } from '../http/index.js';
import { type Answer, BackendCall, encodeTarget, proxyUpgrade, type UserHeaders } from '../proxying/index.js';
import type { Handler, RequestContext, RequestInfo } from '../request/index.js';
import { describeFailure } from '../webhooks/index.js';
import type { BackendAddress, Backends } from './backends.js';
import { forwardedHeaders } from './forwarded-headers.js';
import type { BackendReference, RegisteredService } from './registered-service.js';
import { returnAnswer } from './returned-answer.js';

export interface ProxyOptions {
  readonly backends: Pick<Backends, 'address' | 'open'>;
  readonly clock: Clock;
  readonly userHeaders: UserHeaders;
  /** Whether this server itself, or one with its identity, has proxied the request already. */
  readonly isProxied: (context: RequestContext) => boolean;
}

/** Discovery must not wait for a slow backend. Upstream: apiserver `pkg/util/proxy`. */
const DISCOVERY_TIMEOUT_MS = 5000;
const UNAVAILABLE = 'service unavailable\n';

/**
 * Passes requests for an APIService on to its backend. Bodies stream in both directions, and are never in memory as a
 * whole.
 * Upstream: kube-aggregator `pkg/apiserver/handler_proxy.go`.
 */
export class Proxy {
  readonly #options: ProxyOptions;

  constructor(options: ProxyOptions) {
    this.#options = options;
  }

  handler(service: RegisteredService, backend: BackendReference): Handler {
    return async (context) => {
      // The shorter deadline of writes is for writes to this server's own store.
      context.deadline = context.acceptedDeadline;
      context.watchInitialized();
      if (!service.isAvailable) return respondText(context, 503, UNAVAILABLE);
      if (this.#options.isProxied(context))
        return respondText(context, 503, failure('the request is proxied in a circle'));
      const address = await this.#options.backends.address(backend).catch(() => undefined);
      if (address === undefined) return respondText(context, 503, UNAVAILABLE);
      using limit = new Deadline(
        this.#options.clock,
        isDiscovery(context.info) ? DISCOVERY_TIMEOUT_MS : undefined,
        context.exchange.signal,
        service.name,
      );
      await this.#pass(context, { service, backend, address, signal: limit.signal });
    };
  }

  async #pass(context: RequestContext, to: Destination): Promise<void> {
    const { exchange } = context;
    const upgrade = exchange.upgrade;
    const body = upgrade === undefined ? exchange.requestBody() : undefined;
    const call = this.#call(context, to, body !== undefined);
    let answer: Answer;
    try {
      answer = await call.send(body);
    } catch (error) {
      if (exchange.signal.aborted) throw exchange.signal.reason;
      return respondText(context, 503, failure(describeFailure(error, to.signal.aborted)));
    }
    if (answer.upgraded === undefined) {
      const { authority } = to.address;
      return returnAnswer(context, answer.message, { upgrade: upgrade !== undefined, authority });
    }
    if (upgrade === undefined) {
      answer.upgraded.socket.destroy();
      return respondText(context, 503, failure(unrequestedUpgrade(answer.message.headers.upgrade)));
    }
    return proxyUpgrade(context, upgrade, { message: answer.message, ...answer.upgraded }, this.#options.clock);
  }

  #call(context: RequestContext, { service, backend, address, signal }: Destination, hasBody: boolean): BackendCall {
    const { exchange, path, query, user, auditId } = context;
    const { userHeaders, backends } = this.#options;
    const { authority } = address;
    const target = encodeTarget(path, query);
    const upgrade = exchange.upgrade !== undefined;
    const options = { user, auditId, authority, path: target.path, userHeaders, upgrade, hasBody };
    const headers = forwardedHeaders(exchange, options);
    const request = { method: exchange.method, url: target.url, headers, signal };
    return new BackendCall(() => backends.open(service.name, backend, address, request));
  }
}

interface Destination {
  readonly service: RegisteredService;
  readonly backend: BackendReference;
  readonly address: BackendAddress;
  readonly signal: AbortSignal;
}

function isDiscovery({ isResourceRequest, path }: RequestInfo): boolean {
  return !isResourceRequest && withoutEnding(path.replace(/^\/+/, ''), '/').split('/').length === 3;
}

const unrequestedUpgrade = (protocol = ''): string =>
  `backend tried to switch protocol "${protocol}" when "" was requested`;
const failure = (reason: string): string => `error trying to reach service: ${reason}\n`;
