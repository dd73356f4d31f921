import { indentJson, type JsonObject, type JsonValue, parseJson, stringifyJson } from '@binnacle/apimachinery/json';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import { badRequest } from '@binnacle/apimachinery/status';
import {
  PIECE_BYTES,
  type PiecewiseBody,
  type RequestContext,
  wantsPretty,
  wholeBody,
  writeResponse,
} from '../http/index.js';
import type { ListAnswer } from '../registry/index.js';
import { parseTableOptions } from '../request/index.js';
import type { StoredObject } from '../storage/index.js';
import type { ResourceEndpoint, View } from './endpoint.js';
import { listBody } from './list-body.js';
import type { Representation } from './negotiation.js';
import { partialObjectMetadata } from './partial-metadata.js';
import { tableOf } from './table.js';

const NEWLINE = 0x0a;
const COMMA = Buffer.of(0x2c);

/** Answers with one object. */
export async function respondObject(
  context: RequestContext,
  endpoint: ResourceEndpoint,
  view: View,
  representation: Representation,
  status: number,
  stored: StoredObject,
): Promise<void> {
  if (representation.as === undefined && representation.mediaType === 'application/json' && !wantsPretty(context)) {
    await writeResponse(context, status, jsonHeaders, objectBytes(view, stored));
    return;
  }
  const object = view.show(stored);
  if (representation.as === 'Table') {
    const { resourceVersion } = object.metadata;
    const metadata: JsonObject = resourceVersion === undefined ? {} : { resourceVersion };
    await respondTable(context, endpoint, view, representation, status, [object], metadata);
    return;
  }
  if (representation.as === 'PartialObjectMetadata') {
    await respondDocument(context, representation, status, partialObjectMetadata(object, representation.version));
    return;
  }
  if (representation.as !== undefined) throw listTransformOfOne();
  await respondEncoded(context, representation, status, view.codec.encode(object));
}

/** Answers with a list. */
export async function respondList(
  context: RequestContext,
  endpoint: ResourceEndpoint,
  representation: Representation,
  answer: ListAnswer,
): Promise<void> {
  const view = endpoint.main;
  if (representation.as === undefined && representation.mediaType === 'application/json' && !wantsPretty(context)) {
    await writeResponse(context, 200, jsonHeaders, await listBytes(endpoint, answer));
    return;
  }
  const metadata = listMetadata(answer);
  if (representation.as === 'Table') {
    await respondTable(context, endpoint, view, representation, 200, shown(view, answer.items), metadata);
    return;
  }
  if (representation.as === 'PartialObjectMetadataList') {
    const items: JsonValue[] = [];
    for (const object of shown(view, answer.items)) items.push(partialObjectMetadata(object, representation.version));
    const apiVersion = `meta.k8s.io/${representation.version}`;
    await respondDocument(context, representation, 200, {
      kind: 'PartialObjectMetadataList',
      apiVersion,
      metadata,
      items,
    });
    return;
  }
  if (representation.as !== undefined) throw objectTransformOfList();
  await respondEncoded(context, representation, 200, wholeBody(await listBytes(endpoint, answer)));
}

/** The served bytes of an object, ended by a newline as upstream ends them. */
function objectBytes(view: View, stored: StoredObject): Buffer {
  if (view.isStoredForm) {
    const bytes = Buffer.allocUnsafe(stored.jsonLength + 1);
    bytes[stored.writeJson(bytes, 0)] = NEWLINE;
    return bytes;
  }
  return Buffer.concat([view.codec.encode(view.show(stored)), Buffer.of(NEWLINE)]);
}

/** A list is a copy of its items' bytes; only a version other than the stored one is encoded. */
async function listBytes(endpoint: ResourceEndpoint, answer: ListAnswer): Promise<Uint8Array | PiecewiseBody> {
  const view = endpoint.main;
  const { head, tail } = view.codec.untyped === true ? untypedFrame(endpoint, answer) : typedFrame(endpoint, answer);
  if (!view.isStoredForm) {
    const encoded = answer.items.map((stored) => view.codec.encode(view.show(stored)));
    const items = view.codec.untyped === true ? encoded : encoded.map(withoutHead);
    const separated = items.flatMap((item, index) => (index === 0 ? [item] : [COMMA, item]));
    return Buffer.concat([head, ...separated, tail]);
  }
  const body = await listBody(head, answer.items, tail);
  return body.length <= PIECE_BYTES ? wholeBody(body) : body;
}

/** What stands around the items of a list. */
interface ListFrame {
  readonly head: Buffer;
  readonly tail: Buffer;
}

function typedFrame({ listKind, main }: ResourceEndpoint, answer: ListAnswer): ListFrame {
  const kind = `"kind":${JSON.stringify(listKind)},"apiVersion":${JSON.stringify(main.codec.apiVersion)}`;
  const head = Buffer.from(`{${kind},"metadata":${JSON.stringify(listMetadata(answer))},"items":[`);
  return { head, tail: Buffer.from(']}\n') };
}

/** Without a type, keys are sorted, and an empty continue token is a token. */
function untypedFrame({ listKind, main }: ResourceEndpoint, answer: ListAnswer): ListFrame {
  const metadata = stringifyJson({ continue: '', ...listMetadata(answer) }, { sortKeys: true });
  const head = Buffer.from(`{"apiVersion":${JSON.stringify(main.codec.apiVersion)},"items":[`);
  return { head, tail: Buffer.from(`],"kind":${JSON.stringify(listKind)},"metadata":${metadata}}\n`) };
}

function withoutHead(encoded: Uint8Array): Buffer {
  const text = Buffer.from(encoded.buffer, encoded.byteOffset, encoded.byteLength);
  const metadata = text.indexOf('"metadata":');
  return Buffer.concat([Buffer.from('{'), text.subarray(metadata)]);
}

function listMetadata(answer: ListAnswer): JsonObject {
  return {
    resourceVersion: String(answer.revision),
    ...(answer.continueToken === '' ? {} : { continue: answer.continueToken }),
    ...(answer.remainingItemCount === undefined ? {} : { remainingItemCount: answer.remainingItemCount }),
  };
}

function* shown(view: View, items: Iterable<StoredObject>): Generator<KubernetesObject> {
  for (const stored of items) yield view.show(stored);
}

async function respondTable(
  context: RequestContext,
  endpoint: ResourceEndpoint,
  view: View,
  representation: Representation,
  status: number,
  objects: Iterable<KubernetesObject>,
  metadata: JsonObject,
): Promise<void> {
  const { includeObject } = parseTableOptions(context.query);
  const options = { version: representation.version, includeObject, now: endpoint.now(), withColumns: true };
  const printer = await endpoint.printer(view.codec.groupVersionKind);
  await respondDocument(context, representation, status, tableOf(printer, objects, metadata, options));
}

/** Answers with a document in the negotiated media type. */
export async function respondDocument(
  context: RequestContext,
  representation: Representation,
  status: number,
  document: JsonObject,
): Promise<void> {
  await respondEncoded(context, representation, status, Buffer.from(`${stringifyJson(document)}\n`));
}

/** JSON bytes, indented or turned into YAML where that is asked for. */
export async function respondEncoded(
  context: RequestContext,
  representation: Representation,
  status: number,
  json: Uint8Array,
): Promise<void> {
  if (representation.mediaType === 'application/yaml') {
    const { stringifyYaml } = await import('@binnacle/apimachinery/yaml');
    await writeResponse(context, status, { 'content-type': 'application/yaml' }, stringifyYaml(parseJson(json).value));
    return;
  }
  const body = wantsPretty(context) ? indentJson(Buffer.from(json).toString('utf8')) : json;
  await writeResponse(context, status, jsonHeaders, body);
}

const jsonHeaders = { 'content-type': 'application/json' };

function listTransformOfOne(): Error {
  return badRequest('you requested PartialObjectMetadataList, but the requested object is not a list');
}

function objectTransformOfList(): Error {
  return badRequest('you requested PartialObjectMetadata, but the requested object is a list');
}
