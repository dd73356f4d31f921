import { methodNotAllowed } from '@binnacle/apimachinery/status';
import type { Serializer } from '@binnacle/apimachinery/serializer';
import type { Aggregator } from '../../aggregation/index.js';
import type { ApiExtensions } from '../../apiextensions/index.js';
import type { Discovery } from '../../discovery/index.js';
import type { ResourceRouter } from '../../endpoints/index.js';
import type { Faults } from '../../faults/index.js';
import type { ForkPages } from '../../forks/index.js';
import type { Health } from '../../health/index.js';
import { respondText } from '../../http/index.js';
import type { MetricsEndpoint } from '../../metrics/index.js';
import type { OpenApi } from '../../openapi/index.js';
import type { ProfilePages } from '../../profiling/index.js';
import type { Handler, RequestContext, RequestInfo } from '../../request/index.js';
import type { OpenId } from '../../serviceaccounts/index.js';
import type { ZPages } from '../../zpages/index.js';

export interface Routes {
  readonly router: ResourceRouter;
  /** The media types of built-in resources. */
  readonly serializers: readonly Serializer[];
  /** Whether objects that no one can read can be deleted. */
  readonly unsafeDeletion: boolean;
  /** Finds the paths that extension API servers serve. */
  readonly aggregator: Pick<Aggregator, 'handlerFor'> | undefined;
  /** Custom resources. */
  readonly extensions: ApiExtensions | undefined;
  readonly discovery: Discovery;
  readonly health: Health;
  readonly metrics: MetricsEndpoint;
  /** Shows the state of flow control. */
  readonly flowControl: { handlerFor(path: string): Handler | undefined };
  /** Makes snapshots and forks. */
  readonly forks: ForkPages;
  readonly zpages: ZPages;
  /** Undefined if profiles are turned off. */
  readonly profiling: ProfilePages | undefined;
  readonly openId: OpenId;
  /** Loads on first use: most test servers never need it. */
  readonly openApi: () => Promise<OpenApi>;
  /**
   * Settles when custom resources are as new as the store. Set if other processes of this server may have changed them: a client
   * that has seen a definition established may use it at once.
   */
  readonly catchUp?: (() => Promise<void>) | undefined;
  /** Set only if tests may inject faults. */
  readonly faults: Faults | undefined;
}

/**
 * Routes every request after the filters, in this order: extension API servers, built-in and custom resources, discovery, health,
 * metrics, OpenID, status and flags, flow control, snapshots and forks, profiles, faults, OpenAPI, else 404.
 */
export function createRoutes(routes: Routes): Handler {
  const { router, serializers, unsafeDeletion, aggregator, extensions, discovery, openApi, faults, catchUp } = routes;
  const pages = [
    discovery,
    routes.health,
    routes.metrics,
    routes.openId,
    routes.zpages,
    routes.flowControl,
    routes.forks,
    ...(routes.profiling === undefined ? [] : [routes.profiling]),
  ];
  const route = (context: RequestContext, isCurrent: boolean): ReturnType<Handler> => {
    const { info, path } = context;
    const { method } = context.exchange;
    const proxied = aggregator?.handlerFor(path);
    if (proxied !== undefined) return proxied(context);
    if (info.isResourceRequest) {
      const builtIn = router.handlerFor(info);
      if (builtIn !== undefined && !isServed(method, info)) throw methodNotAllowed();
      const opening = builtIn === undefined ? extensions?.opening(info) : undefined;
      if (opening !== undefined) return opening.then(() => route(context, isCurrent));
      const handler = builtIn ?? extensions?.handlerFor(info);
      if (handler !== undefined) {
        context.serializers = serializers;
        context.allowsUnsafeDeletion = unsafeDeletion;
        return handler(context);
      }
    }
    if (!isCurrent && tellsOfResources(path)) return catchUp?.().then(() => route(context, true));
    for (const page of pages) {
      const handler = page.handlerFor(path);
      if (handler !== undefined) return handler(context);
    }
    const faultsHandler = faults?.handlerFor(path);
    if (faultsHandler !== undefined) return faultsHandler(context);
    if (path.startsWith('/openapi/')) {
      return openApi().then((documents) => (documents.handlerFor(path) ?? respondNoSuchPath)(context));
    }
    return respondNoSuchPath(context);
  };
  return (context) => route(context, catchUp === undefined);
}

/** Discovery and OpenAPI, or a resource that is not known. */
function tellsOfResources(path: string): boolean {
  return path === '/apis' || path.startsWith('/apis/') || path.startsWith('/openapi/');
}

/** Like upstream, only custom resources accept HEAD, or any method under `watch/`; a proxy passes HEAD on. */
function isServed(method: string, { verb, subresource }: RequestInfo): boolean {
  return method === 'HEAD' ? subresource === 'proxy' : verb !== 'watch' || method === 'GET';
}

const respondNoSuchPath: Handler = (context) => respondText(context, 404, '404 page not found\n');
