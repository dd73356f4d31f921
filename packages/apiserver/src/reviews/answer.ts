import { encodeJson } from '@binnacle/apimachinery/json';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import {
  lazily,
  notAList,
  notOneObject,
  partialMetadataList,
  partialObjectMetadata,
  type Representation,
  respond,
} from '../answers/index.js';
import type { KindCodec } from '../codec/index.js';
import { tableOf } from '../endpoints/index.js';
import { parseTableOptions, type RequestContext } from '../request/index.js';
import { inSlices } from '../slices/index.js';

export interface AnswerOptions {
  readonly codec: KindCodec;
  readonly representation: Representation;
  readonly status: number;
  /** Milliseconds. */
  readonly now: number;
}

/** Responds with one object that is not stored. */
export async function respondOne(
  context: RequestContext,
  object: KubernetesObject,
  options: AnswerOptions,
): Promise<void> {
  const { codec, representation, status } = options;
  switch (representation.as) {
    case undefined:
      return respond(context, representation, status, (encoding) =>
        inSlices(encoding.objectInSteps(codec, object), context.exchange.signal),
      );
    case 'Table':
      return respondTable(context, [object], options);
    case 'PartialObjectMetadata': {
      const document = partialObjectMetadata(object, representation.version);
      return respond(context, representation, status, (encoding) => encoding.document(document));
    }
    default:
      throw notAList(codec);
  }
}

/** Responds with all objects of a kind that is not stored, so the list has no revision. */
export async function respondAll(
  context: RequestContext,
  objects: readonly KubernetesObject[],
  options: AnswerOptions,
): Promise<void> {
  const { codec, representation, status } = options;
  switch (representation.as) {
    case undefined: {
      const head = { kind: `${codec.groupVersionKind.kind}List`, metadata: {} };
      return respond(context, representation, status, (encoding) => encoding.list(codec, head, objects));
    }
    case 'Table':
      return respondTable(context, objects, options);
    case 'PartialObjectMetadataList': {
      const { version } = representation;
      const elements = lazily(objects, (object) => encodeJson(partialObjectMetadata(object, version)));
      const list = partialMetadataList(version, {}, objects.length, elements);
      return respond(context, representation, status, (encoding) => encoding.longDocument(list));
    }
    default:
      throw notOneObject(codec);
  }
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
  return respond(context, representation, status, (encoding) => encoding.document(table));
}
