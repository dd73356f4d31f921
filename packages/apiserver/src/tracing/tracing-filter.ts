import type { Clock } from '@binnacle/apimachinery/clock';
import { readTraceContext, type Span, type SpanAttributes, type Tracer } from '@binnacle/apimachinery/tracing';
import { type Filter, type RequestContext, type RequestInfo, RequestTrace } from '../request/index.js';

/** Their traces continue here. Upstream: `notSystemPrivilegedGroup`. */
const PRIVILEGED_GROUPS = ['system:masters', 'system:monitoring'];

/** The names of upstream's spans, by verb. */
const OPERATIONS: Readonly<Record<string, string>> = {
  get: 'Get',
  list: 'List',
  create: 'Create',
  update: 'Update',
  patch: 'Patch',
  delete: 'Delete',
  deletecollection: 'Delete',
};

/** Records each sampled request. It belongs behind authentication, because some users' traces continue here. */
export function tracing(tracer: Tracer, clock: Pick<Clock, 'monotonic'>): Filter {
  const spans = new WeakMap<RequestContext, Span>();
  return {
    name: 'tracing',
    enter: (context) => {
      const { exchange, info, user } = context;
      const root = tracer.begin(spanName(exchange.method, info), 'server', {
        remote: readTraceContext(
          exchange.headers['traceparent']?.toString(),
          exchange.headers['tracestate']?.toString(),
        ),
        continues: user.groups.some((group) => PRIVILEGED_GROUPS.includes(group)),
        at: context.receivedAt,
      });
      if (root === undefined) return;
      spans.set(context, root);
      context.trace ??= new RequestTrace(clock);
      const operation = info.isResourceRequest ? OPERATIONS[info.verb] : undefined;
      context.span = operation === undefined ? root : root.begin(operation, operationAttributes(context));
    },
    leave: (context) => {
      const root = spans.get(context);
      if (root === undefined) return;
      for (const { name, at } of context.trace?.steps ?? []) context.span?.addEvent(name, at);
      root.set(requestAttributes(context));
      context.span?.end();
      root.end();
    },
  };
}

/** Like `GET /api/v1/namespaces/{:namespace}/pods/{:name}`, without names, so that there are few of them. */
export function spanName(method: string, info: RequestInfo): string {
  if (!info.isResourceRequest) return method;
  const { apiPrefix, group, version, namespace, resource, name, subresource } = info;
  const parts = [
    apiPrefix,
    group,
    version,
    namespace === '' ? '' : 'namespaces/{:namespace}',
    resource,
    name === '' ? '' : '{:name}',
    subresource,
  ];
  return `${method} /${parts.filter((part) => part !== '').join('/')}`;
}

/** Upstream: OpenTelemetry's conventions for HTTP servers, `http.target` and `audit-id`. */
function requestAttributes({ exchange, path, auditId }: RequestContext): SpanAttributes {
  return {
    'http.request.method': exchange.method,
    'url.scheme': 'https',
    'url.path': path,
    'http.target': exchange.url,
    'network.protocol.version': exchange.httpVersion === '2' ? '2.0' : exchange.httpVersion,
    'client.address': exchange.remoteAddress,
    'network.peer.address': exchange.remoteAddress,
    'user_agent.original': exchange.headers['user-agent'] ?? '',
    'audit-id': auditId,
    'http.response.body.size': exchange.bodyBytes,
    'http.response.status_code': exchange.status,
  };
}

/** Upstream: apiserver `pkg/endpoints/handlers/trace_util.go`. */
function operationAttributes({ exchange, path, auditId, info }: RequestContext): SpanAttributes {
  return {
    accept: exchange.headers.accept ?? '',
    'audit-id': auditId,
    client: exchange.remoteAddress,
    'api-group': info.group,
    'api-version': info.version,
    name: info.name,
    subresource: info.subresource,
    namespace: info.namespace,
    protocol: exchange.httpVersion === '2' ? 'HTTP/2.0' : 'HTTP/1.1',
    resource: info.resource,
    url: path,
    'user-agent': exchange.headers['user-agent'] ?? '',
    verb: info.verb === 'list' ? 'LIST' : exchange.method,
  };
}
