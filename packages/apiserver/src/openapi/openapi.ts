import { setImmediate } from 'node:timers/promises';
import {
  getOwn,
  isObject,
  type JsonObject,
  type JsonValue,
  quoteJson,
  stringifyJson,
} from '@binnacle/apimachinery/json';
import { JSON_MEDIA_TYPE } from '@binnacle/apimachinery/serializer';
import { methodNotAllowed } from '@binnacle/apimachinery/status';
import type { Steps } from '@binnacle/apimachinery/work';
import { writeResponse } from '../http/index.js';
import type { Handler, RequestContext } from '../request/index.js';
import { inSlices } from '../slices/index.js';
import { type Descriptions, loadDescriptions } from './descriptions.js';
import { DocumentCache, hashOf, type MadeDocument, type StoredDocument } from './document-cache.js';
import { negotiateForm } from './document-forms.js';
import { encodeOpenApiV2 } from './gnostic-v2.js';
import { encodeOpenApiV3 } from './gnostic-v3.js';
import type { PathOperations } from './operations.js';
import { type DocumentFacts, documentsOf } from './paths.js';
import { serveDocument } from './serve.js';
import type { OpenApiSource } from './source.js';
import { openApiV2 } from './v2.js';
import { customDocument, openApiV3, ownDocument } from './v3.js';

export interface OpenApiOptions {
  readonly source: OpenApiSource;
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
export function createOpenApi(options: OpenApiOptions): OpenApi {
  const { source, version } = options;
  const jsons = new DocumentCache();
  /** Their ETag is the hash of the JSON, so their answers have `Vary: Accept`. */
  const protobufs = new DocumentCache();

  let descriptions: Descriptions | undefined;
  const describe = (): Descriptions => {
    descriptions ??= loadDescriptions();
    return descriptions;
  };

  /** Definitions change while a document is made in slices. */
  const snapshot = (): OpenApiSource => source.snapshot?.() ?? source;

  const v2Document = (from: OpenApiSource): Steps<JsonObject> => {
    return openApiV2(pathsOf(from), from, describe(), version);
  };

  const v2Json = (from: OpenApiSource): Promise<StoredDocument> =>
    jsons.get('v2', from.revision, () => inSlices(madeOf(v2Document(from))));

  const v2Protobuf = (from: OpenApiSource): Promise<StoredDocument> =>
    protobufs.get('v2', from.revision, async () => {
      const bytes = encodeOpenApiV2(await inSlices(v2Document(from)));
      return { bytes, hash: (await v2Json(from)).hash };
    });

  const v3Make = (facts: DocumentFacts, from: OpenApiSource): Steps<JsonObject> => {
    const about = facts.custom ? customDocument : ownDocument(version);
    return openApiV3(facts.paths(), from, describe(), about);
  };

  const v3Json = (name: string, facts: DocumentFacts, from: OpenApiSource): Promise<StoredDocument> =>
    jsons.get(`v3/${name}`, facts.revision, () => inSlices(madeOf(v3Make(facts, from))));

  const v3Protobuf = (name: string, facts: DocumentFacts, from: OpenApiSource): Promise<StoredDocument> =>
    protobufs.get(`v3/${name}`, facts.revision, async () => {
      const bytes = encodeOpenApiV3(await inSlices(v3Make(facts, from)));
      return { bytes, hash: (await v3Json(name, facts, from)).hash };
    });

  const v3Index = (): Promise<StoredDocument> =>
    jsons.get('v3', source.revision, async () => {
      const paths: JsonObject = {};
      const names = [...documentsOf(source).keys()];
      const isServed = (key: string): boolean => !key.startsWith('v3/') || names.includes(key.slice('v3/'.length));
      jsons.retain(isServed);
      protobufs.retain(isServed);
      for (const name of names) {
        // A new snapshot for each document, because other requests run between them.
        const from = snapshot();
        const facts = documentsOf(from).get(name);
        if (facts === undefined) continue;
        paths[name] = { serverRelativeURL: relativeUrl(name, (await v3Json(name, facts, from)).hash) };
        await setImmediate();
      }
      return inSlices(jsonDocument({ paths }));
    });

  const v2: Handler = async (context) => {
    const form = negotiateForm('v2', context.exchange.headers.accept);
    if (form === undefined) return respondNotAcceptable(context);
    const document = await (form === JSON_MEDIA_TYPE ? v2Json : v2Protobuf)(snapshot());
    return serveDocument(context, document, { 'content-type': form, vary: 'Accept' });
  };

  /** Always JSON. */
  const v3: Handler = async (context) =>
    serveDocument(context, await v3Index(), { 'content-type': 'text/plain; charset=utf-8' });

  const v3Document =
    (name: string): Handler =>
    async (context) => {
      const form = negotiateForm('v3', context.exchange.headers.accept);
      if (form === undefined) return respondNotAcceptable(context);
      const from = snapshot();
      const facts = documentsOf(from).get(name);
      if (facts === undefined) return writeResponse(context, 404, {}, '');
      const document = await (form === JSON_MEDIA_TYPE ? v3Json : v3Protobuf)(name, facts, from);
      const headers = { 'content-type': form, vary: 'Accept' };
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

/** One group at a time, on demand: all at once would block the event loop. */
function* pathsOf(source: OpenApiSource): Generator<PathOperations> {
  for (const facts of documentsOf(source).values()) yield* facts.paths();
}

function* madeOf(document: Steps<JsonObject>): Steps<MadeDocument> {
  return yield* jsonDocument(yield* document);
}

function* jsonDocument(document: JsonObject): Steps<MadeDocument> {
  const bytes = Buffer.concat(yield* jsonPieces(document, SPLIT_DEPTH));
  return { bytes, hash: hashOf(bytes) };
}

/** Objects down to this depth are written member by member: each path, each type. */
const SPLIT_DEPTH = 3;

function* jsonPieces(value: JsonValue, depth: number): Steps<Buffer[]> {
  if (depth === 0 || !isObject(value)) {
    yield;
    return [Buffer.from(stringifyJson(value))];
  }
  const pieces: Buffer[] = [];
  for (const key of Object.keys(value)) {
    const member = getOwn(value, key);
    if (member === undefined) continue;
    pieces.push(Buffer.from(`${pieces.length === 0 ? '{' : ','}${quoteJson(key)}:`));
    for (const piece of yield* jsonPieces(member, depth - 1)) pieces.push(piece);
  }
  return pieces.length === 0 ? [Buffer.from('{}')] : [...pieces, Buffer.from('}')];
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
