import { type JsonObject, parseJson } from '@binnacle/apimachinery/json';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import { badRequest } from '@binnacle/apimachinery/status';
import type { KindCodec } from '../codec/index.js';
import {
  partialObjectMetadata,
  type Representation,
  respondDocument,
  respondEncoded,
  tableOf,
} from '../endpoints/index.js';
import type { RequestContext } from '../http/index.js';
import { parseTableOptions } from '../request/index.js';

const NEWLINE = Buffer.from('\n');

export interface AnswerOptions {
  readonly codec: KindCodec;
  readonly representation: Representation;
  readonly status: number;
  /** Milliseconds. */
  readonly now: number;
}

/** Answers with one object that is stored nowhere. */
export async function respondOne(
  context: RequestContext,
  object: KubernetesObject,
  options: AnswerOptions,
): Promise<void> {
  const { codec, representation, status } = options;
  switch (representation.as) {
    case undefined:
      return respondEncoded(context, representation, status, Buffer.concat([codec.encode(object), NEWLINE]));
    case 'Table':
      return respondTable(context, [object], options);
    case 'PartialObjectMetadata':
      return respondDocument(context, representation, status, partialObjectMetadata(object, representation.version));
    default:
      throw badRequest('you requested PartialObjectMetadataList, but the requested object is not a list');
  }
}

/** Answers with all objects of a kind that is stored nowhere, and so has no revision. */
export async function respondAll(
  context: RequestContext,
  objects: readonly KubernetesObject[],
  options: AnswerOptions,
): Promise<void> {
  const { codec, representation, status } = options;
  switch (representation.as) {
    case undefined: {
      const items = objects.map((object) => listItem(codec, object));
      const list = { kind: `${codec.groupVersionKind.kind}List`, apiVersion: codec.apiVersion, metadata: {}, items };
      return respondDocument(context, representation, status, list);
    }
    case 'Table':
      return respondTable(context, objects, options);
    case 'PartialObjectMetadataList': {
      const items = objects.map((object) => partialObjectMetadata(object, representation.version));
      const apiVersion = `meta.k8s.io/${representation.version}`;
      return respondDocument(context, representation, status, {
        kind: 'PartialObjectMetadataList',
        apiVersion,
        metadata: {},
        items,
      });
    }
    default:
      throw badRequest('you requested PartialObjectMetadata, but the requested object is a list');
  }
}

function listItem(codec: KindCodec, object: KubernetesObject): JsonObject {
  const { kind: _, apiVersion: __, ...item } = parseJson(codec.encode(object)).value as JsonObject;
  return item;
}

async function respondTable(
  context: RequestContext,
  objects: readonly KubernetesObject[],
  { codec, representation, status, now }: AnswerOptions,
): Promise<void> {
  const { includeObject } = parseTableOptions(context.query);
  const options = { version: representation.version, includeObject, now, withColumns: true };
  const { tablePrinter } = await import('@binnacle/api/printers');
  const table = tableOf(tablePrinter(codec.groupVersionKind), objects, {}, options);
  await respondDocument(context, representation, status, table);
}
