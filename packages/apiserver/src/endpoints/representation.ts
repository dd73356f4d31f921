import type { JsonObject } from '@binnacle/apimachinery/json';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import { badRequest } from '@binnacle/apimachinery/status';
import { type ListHead, partialMetadataJson, type Representation, respond } from '../answers/index.js';
import type { RequestContext } from '../http/index.js';
import type { ListAnswer } from '../registry/index.js';
import { parseTableOptions } from '../request/index.js';
import { inTurns, type StoredObject } from '../storage/index.js';
import type { ResourceEndpoint, View } from './endpoint.js';
import { tableOf } from './table.js';

/** Answers with one object. */
export async function respondObject(
  context: RequestContext,
  endpoint: ResourceEndpoint,
  view: View,
  representation: Representation,
  status: number,
  stored: StoredObject,
): Promise<void> {
  if (representation.as === undefined) {
    return respond(context, representation, status, (encoding) => encoding.stored(view, stored));
  }
  const { version } = representation;
  if (representation.as === 'PartialObjectMetadata') {
    const json = partialMetadataJson(view, stored, version);
    return respond(context, representation, status, (encoding) => encoding.partialMetadata(version, json));
  }
  if (representation.as !== 'Table') throw listTransformOfOne();
  const object = view.show(stored);
  const { resourceVersion } = object.metadata;
  const metadata: JsonObject = resourceVersion === undefined ? {} : { resourceVersion };
  return respondTable(context, endpoint, view, representation, status, [object], metadata);
}

/** Answers with a list. */
export async function respondList(
  context: RequestContext,
  endpoint: ResourceEndpoint,
  representation: Representation,
  answer: ListAnswer,
): Promise<void> {
  const view = endpoint.main;
  const head: ListHead = { kind: endpoint.listKind, metadata: listMetadata(answer) };
  if (representation.as === undefined) {
    return respond(context, representation, 200, (encoding) => encoding.storedList(view, head, answer.items));
  }
  if (representation.as === 'Table') {
    return respondTable(context, endpoint, view, representation, 200, shown(view, answer.items), head.metadata);
  }
  if (representation.as !== 'PartialObjectMetadataList') throw objectTransformOfList();
  const { version } = representation;
  const items: Uint8Array[] = [];
  await inTurns(answer.items, (stored) => {
    items.push(partialMetadataJson(view, stored, version));
  });
  const listHead = { version, metadata: head.metadata };
  return respond(context, representation, 200, (encoding) => encoding.partialMetadataList(listHead, items));
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
  const table = tableOf(printer, objects, metadata, options);
  return respond(context, representation, status, (encoding) => encoding.document(table));
}

function listTransformOfOne(): Error {
  return badRequest('you requested PartialObjectMetadataList, but the requested object is not a list');
}

function objectTransformOfList(): Error {
  return badRequest('you requested PartialObjectMetadata, but the requested object is a list');
}
