import type { TablePrinter } from '@binnacle/api/printers';
import type { JsonObject } from '@binnacle/apimachinery/json';
import { asJson } from '@binnacle/apimachinery/meta';
import {
  checkReadable,
  lazily,
  type ListHead,
  notAList,
  notOneObject,
  partialMetadataJson,
  partialMetadataList,
  type Representation,
  respond,
} from '../answers/index.js';
import type { ListAnswer } from '../registry/index.js';
import { parseTableOptions, type RequestContext } from '../request/index.js';
import { inSlices } from '../slices/index.js';
import type { StoredObject } from '../storage/index.js';
import type { ObjectRequest, ResourceEndpoint, View } from './endpoint.js';
import { longTable, tableOf, type TableOptions } from './table.js';

/** Responds with one object. */
export async function respondObject(
  request: ObjectRequest,
  representation: Representation,
  status: number,
  stored: StoredObject,
): Promise<void> {
  const { context, view } = request;
  if (representation.as === undefined) {
    return respond(context, representation, status, (encoding) => {
      const steps = encoding.storedInSteps?.(view, stored);
      return steps === undefined ? encoding.stored(view, stored) : inSlices(steps);
    });
  }
  const { version } = representation;
  if (representation.as === 'PartialObjectMetadata') {
    const json = partialMetadataJson(view, stored, version);
    return respond(context, representation, status, (encoding) => encoding.partialMetadata(version, json));
  }
  if (representation.as !== 'Table') throw notAList(view.codec);
  const object = view.isStoredForm ? await inSlices(stored.decodeInSteps()) : view.show(stored);
  const { resourceVersion } = object.metadata;
  const metadata: JsonObject = resourceVersion === undefined ? {} : { resourceVersion };
  const [printer, options] = await tableParts(request, representation);
  const table = tableOf(printer, [object], metadata, options);
  return respond(context, representation, status, (encoding) => encoding.document(table));
}

/** Responds with a list. */
export async function respondList(
  context: RequestContext,
  endpoint: ResourceEndpoint,
  representation: Representation,
  { items, ...answer }: ListAnswer,
): Promise<void> {
  const view = endpoint.main;
  const metadata = listMetadata(answer);
  const { as, version } = representation;
  if (as === undefined) {
    const head: ListHead = { kind: endpoint.listKind, metadata };
    return respond(context, representation, 200, (encoding) => encoding.storedList(view, head, items));
  }
  if (as === 'PartialObjectMetadata') throw notOneObject(view.codec);
  await checkReadable(items);
  if (as === 'PartialObjectMetadataList') {
    const elements = lazily(items, (stored) => partialMetadataJson(view, stored, version));
    const list = partialMetadataList(version, metadata, items.length, elements);
    return respond(context, representation, 200, (encoding) => encoding.longDocument(list));
  }
  const [printer, options] = await tableParts({ context, endpoint, view }, representation);
  return respond(context, representation, 200, (encoding) =>
    items.length === 0
      ? encoding.document(tableOf(printer, [], metadata, options))
      : encoding.longDocument(longTable(printer, view, inOrderOf(printer, view, items), metadata, options)),
  );
}

/** Most kinds are shown in the order of their keys. */
function inOrderOf({ compare }: TablePrinter, view: View, items: readonly StoredObject[]): readonly StoredObject[] {
  if (compare === undefined) return items;
  const shown = items.map((stored) => ({ stored, object: asJson(view.show(stored)) }));
  return shown.sort((left, right) => compare(left.object, right.object)).map(({ stored }) => stored);
}

function listMetadata(answer: Omit<ListAnswer, 'items'>): JsonObject {
  return {
    resourceVersion: String(answer.revision),
    ...(answer.continueToken === '' ? {} : { continue: answer.continueToken }),
    ...(answer.remainingItemCount === undefined ? {} : { remainingItemCount: answer.remainingItemCount }),
  };
}

async function tableParts(
  { context, endpoint, view }: ObjectRequest,
  { version }: Representation,
): Promise<[TablePrinter, TableOptions]> {
  const { includeObject } = parseTableOptions(context.query);
  const printer = await endpoint.printer(view.codec.groupVersionKind);
  return [printer, { version, includeObject, now: endpoint.clock.now(), withColumns: true }];
}
