import { setImmediate } from 'node:timers/promises';
import { type JsonObject, stringifyJson } from '@binnacle/apimachinery/json';
import { negotiate, type Serializer } from '@binnacle/apimachinery/serializer';
import { methodNotAllowed } from '@binnacle/apimachinery/status';
import { type Handler, type RequestContext, writeResponse } from '../http/index.js';
import { type Descriptions, loadDescriptions } from './descriptions.js';
import { DocumentCache, hashOf, type MadeDocument, type StoredDocument } from './document-cache.js';
import { encodeOpenApiV2 } from './gnostic.js';
import { documentsOf } from './paths.js';
import { serveDocument } from './serve.js';
import type { OpenApiSource } from './source.js';
import { openApiV2 } from './v2.js';
import { customDocument, openApiV3, ownDocument } from './v3.js';

export interface OpenApiOptions {
  readonly source: OpenApiSource;
  /** The server's version as the documents name it. */
  readonly version: string;
  /** Milliseconds. */
  readonly now: () => number;
}

export interface OpenApi {
  /** The handler of `/openapi/v2`, `/openapi/v3` and everything below that; undefined for other paths. */
  handlerFor(path: string): Handler | undefined;
}

const V2_PROTOBUF = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';
const YEAR_MILLISECONDS = 365 * 24 * 60 * 60 * 1000;

const v2Forms: readonly Serializer[] = [
  { mediaType: 'application/json', streams: false },
  { mediaType: V2_PROTOBUF, streams: false },
  // The name that clients of all ages use; no valid media type, so answers bear the one above.
  { mediaType: 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf', streams: false },
];

const v3Forms: readonly Serializer[] = [{ mediaType: 'application/json', streams: false }];

/** Serves OpenAPI documents made from the source. Upstream: kube-openapi `pkg/handler`, `pkg/handler3`. */
export function createOpenApi(options: OpenApiOptions): OpenApi {
  const { source, version } = options;
  const cache = new DocumentCache();

  let descriptions: Descriptions | undefined;
  const describe = (): Descriptions => {
    descriptions ??= loadDescriptions();
    return descriptions;
  };

  const v2Document = (): JsonObject => {
    const paths = [...documentsOf(source).values()].flatMap((group) => [...group.paths()]);
    return openApiV2(paths, source, describe(), version);
  };

  const v2Json = (): Promise<StoredDocument> => cache.get('v2', source.revision, () => jsonDocument(v2Document()));

  /** Both forms bear the hash of the JSON as their tag: it goes with `Vary: Accept`. */
  const v2Protobuf = (): Promise<StoredDocument> =>
    cache.get('v2 protobuf', source.revision, () => {
      const document = v2Document();
      return { bytes: encodeOpenApiV2(document), hash: jsonDocument(document).hash };
    });

  const v3Json = (name: string): Promise<StoredDocument> | undefined => {
    const facts = documentsOf(source).get(name);
    if (facts === undefined) return undefined;
    const about = facts.custom ? customDocument : ownDocument(version);
    return cache.get(`v3 ${name}`, facts.revision, () =>
      jsonDocument(openApiV3(facts.paths(), source, describe(), about)),
    );
  };

  const v3Index = (): Promise<StoredDocument> =>
    cache.get('v3', source.revision, async () => {
      const paths: JsonObject = {};
      const names = documentsOf(source);
      cache.retain((key) => !key.startsWith('v3 ') || names.has(key.slice('v3 '.length)));
      for (const name of names.keys()) {
        const document = await v3Json(name);
        if (document !== undefined) paths[name] = { serverRelativeURL: relativeUrl(name, document.hash) };
        // Other requests go on while the documents are made.
        await setImmediate();
      }
      return jsonDocument({ paths });
    });

  const v2: Handler = async (context) => {
    const form = negotiate(context.exchange.headers.accept, { serializers: v2Forms, allowsTransform: () => true });
    if (form === undefined) return respondNotAcceptable(context);
    if (form.mediaType === 'application/json') {
      return serveDocument(context, await v2Json(), { 'content-type': 'application/json', vary: 'Accept' });
    }
    return serveDocument(context, await v2Protobuf(), { 'content-type': V2_PROTOBUF, vary: 'Accept' });
  };

  const v3: Handler = async (context) =>
    serveDocument(context, await v3Index(), { 'content-type': 'text/plain; charset=utf-8' });

  const v3Document =
    (name: string): Handler =>
    async (context) => {
      const form = negotiate(context.exchange.headers.accept, { serializers: v3Forms, allowsTransform: () => true });
      if (form === undefined) return respondNotAcceptable(context);
      const document = await v3Json(name);
      if (document === undefined) return writeResponse(context, 404, {}, '');
      const headers = { 'content-type': form.mediaType, vary: 'Accept' };
      const hash = context.query.get('hash') ?? '';
      if (hash === '') return serveDocument(context, document, headers);
      if (hash !== document.hash) {
        return writeResponse(context, 301, { location: relativeUrl(name, document.hash), vary: 'Accept' }, '');
      }
      return serveDocument(context, document, {
        ...headers,
        'cache-control': 'public, immutable',
        expires: new Date(options.now() + YEAR_MILLISECONDS).toUTCString(),
      });
    };

  const find = (path: string): Handler | undefined => {
    if (path === '/openapi/v2') return v2;
    if (path === '/openapi/v3') return v3;
    if (path.startsWith('/openapi/v3/')) return v3Document(path.slice('/openapi/v3/'.length));
    return undefined;
  };

  return {
    handlerFor: (path) => {
      const handler = find(path);
      return handler === undefined ? undefined : (context) => readOnly(context, handler);
    },
  };
}

function jsonDocument(document: JsonObject): MadeDocument {
  const bytes = Buffer.from(stringifyJson(document));
  return { bytes, hash: hashOf(bytes) };
}

function relativeUrl(name: string, hash: string): string {
  return `/openapi/v3/${name}?hash=${hash}`;
}

function respondNotAcceptable(context: RequestContext): void | Promise<void> {
  return writeResponse(context, 406, { vary: 'Accept' }, '');
}

function readOnly(context: RequestContext, handler: Handler): void | Promise<void> {
  const { method } = context.exchange;
  if (method !== 'GET' && method !== 'HEAD') throw methodNotAllowed();
  return handler(context);
}
