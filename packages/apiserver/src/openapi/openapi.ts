import { JSON_MEDIA_TYPE } from '@binnacle/apimachinery/serializer';
import { methodNotAllowed } from '@binnacle/apimachinery/status';
import { writeResponse } from '../http/index.js';
import type { Handler, RequestContext } from '../request/index.js';
import { negotiateForm } from './document-forms.js';
import { OpenApiDocuments, relativeUrl } from './documents.js';
import type { RemoteOpenApi } from './remote.js';
import { serveDocument } from './serve.js';
import type { OpenApiSource } from './source.js';

export interface OpenApiOptions {
  readonly source: OpenApiSource;
  /** The documents of other servers. Default: none. */
  readonly remote?: RemoteOpenApi | undefined;
  /** The server's version in the documents. */
  readonly version: string;
  /** Milliseconds. */
  readonly now: () => number;
}

export interface OpenApi {
  /** The handler of `/openapi/v2`, `/openapi/v3` and the paths below; undefined for other paths. */
  handlerFor(path: string): Handler | undefined;
}

const YEAR_MILLISECONDS = 365 * 24 * 60 * 60 * 1000;

/** Serves OpenAPI documents of the source. Upstream: kube-openapi `pkg/handler`, `pkg/handler3`. */
export function createOpenApi({ source, remote, version, now }: OpenApiOptions): OpenApi {
  const documents = new OpenApiDocuments(source, version, remote);
  const find = (path: string): Handler | undefined => {
    if (path === '/openapi/v2') return v2Handler(documents);
    if (path === '/openapi/v3') return v3IndexHandler(documents);
    if (!path.startsWith('/openapi/v3/')) return undefined;
    const name = path.slice('/openapi/v3/'.length);
    const served = remote?.v3().get(name);
    return served !== undefined && 'handler' in served ? served.handler : v3Handler(documents, name, now);
  };
  return {
    handlerFor: (path) => {
      const handler = find(path);
      return handler === undefined ? undefined : (context) => readOnly(context, handler);
    },
  };
}

function v2Handler(documents: OpenApiDocuments): Handler {
  return async (context) => {
    const type = negotiateForm('v2', context.exchange.headers.accept);
    if (type === undefined) return respondNotAcceptable(context);
    const document = await documents.v2(type === JSON_MEDIA_TYPE ? 'json' : 'protobuf');
    return serveDocument(context, document, { 'content-type': type, vary: 'Accept' });
  };
}

/** Always JSON. */
function v3IndexHandler(documents: OpenApiDocuments): Handler {
  return async (context) =>
    serveDocument(context, await documents.v3Index(), { 'content-type': 'text/plain; charset=utf-8' });
}

function v3Handler(documents: OpenApiDocuments, name: string, now: () => number): Handler {
  return async (context) => {
    const type = negotiateForm('v3', context.exchange.headers.accept);
    if (type === undefined) return respondNotAcceptable(context);
    const document = await documents.v3(name, type === JSON_MEDIA_TYPE ? 'json' : 'protobuf');
    if (document === undefined) return writeResponse(context, 404, {}, '');
    const headers = { 'content-type': type, vary: 'Accept' };
    const hash = context.query.get('hash') ?? '';
    if (hash === '') return serveDocument(context, document, headers);
    if (hash !== document.hash) {
      return writeResponse(context, 301, { location: relativeUrl(name, document.hash), vary: 'Accept' }, '');
    }
    return serveDocument(context, document, {
      ...headers,
      'cache-control': 'public, immutable',
      expires: new Date(now() + YEAR_MILLISECONDS).toUTCString(),
    });
  };
}

function respondNotAcceptable(context: RequestContext): void | Promise<void> {
  return writeResponse(context, 406, { vary: 'Accept' }, '');
}

function readOnly(context: RequestContext, handler: Handler): void | Promise<void> {
  const { method } = context.exchange;
  if (method !== 'GET' && method !== 'HEAD') throw methodNotAllowed();
  return handler(context);
}
