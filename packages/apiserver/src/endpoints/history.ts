import { JSON_MEDIA_TYPE } from '@binnacle/apimachinery/serializer';
import { badRequest, methodNotAllowed, StatusError } from '@binnacle/apimachinery/status';
import { TimeParseError } from '@binnacle/apimachinery/time';
import { checkReadable, jsonEncoding } from '../answers/index.js';
import { bodyOf, writeResponse } from '../http/index.js';
import type { HistoryTarget, ResourceReader } from '../registry/index.js';
import { type HistoryPoint, integerParameter, parseHistoryPoint, type RequestContext } from '../request/index.js';
import { pause } from '../slices/index.js';
import type { PastEvent, StoredHistory, StoredObject } from '../storage/index.js';
import type { ResourceEndpoint, View } from './endpoint.js';

const DEFAULT_LIMIT = 100;
const LARGEST_LIMIT = 500;
const COMMA = Buffer.from(',');

/**
 * Answers with one page of the events of an object or a collection, newest first: a `History` of `binnacle.dev/v1`, which
 * no discovery names. `since` and `until` are a resourceVersion or a time; `limit` and `continue` page.
 */
export async function serveHistory(context: RequestContext, endpoint: ResourceEndpoint): Promise<void> {
  if (context.exchange.method !== 'GET') throw methodNotAllowed();
  refuseSelectors(context.query);
  const { namespace, name } = context.info;
  const { reader } = endpoint.store;
  const { until, ...bounds } = await boundsOf(context.query, reader);
  // Hundreds of pages may begin at once.
  await pause();
  const history = await reader.history({ namespace, name, ...bounds }, context.exchange.signal);
  await checkReadable(history.events.flatMap(({ object, previous }) => [object, previous].filter(isPresent)));
  const head = headOf(history, until ?? history.revision);
  const events = [...history.events];
  const body = bodyOf(() => partsOf(head, events, { view: endpoint.main, reader }));
  await writeResponse(context, 200, { 'content-type': JSON_MEDIA_TYPE }, body);
}

/** Refused, because a client would take the events of all objects for those of the objects that it selects. */
function refuseSelectors(query: URLSearchParams): void {
  const given = ['fieldSelector', 'labelSelector'].find((parameter) => (query.get(parameter) ?? '') !== '');
  if (given !== undefined) throw badRequest(`a history has no ${given}`);
}

interface Shown {
  readonly view: View;
  readonly reader: Pick<ResourceReader, 'referenceOf'>;
}

/** Takes each event out of the list, so that its memory is freed while a slow client reads the rest. */
function* partsOf(head: string, events: PastEvent[], shown: Shown): Generator<Uint8Array> {
  yield Buffer.from(head);
  for (let event = events.shift(), isFirst = true; event !== undefined; event = events.shift(), isFirst = false) {
    if (!isFirst) yield COMMA;
    yield* itemOf(event, shown);
  }
  yield Buffer.from(']}\n');
}

const isPresent = (object: StoredObject | undefined): object is StoredObject => object !== undefined;

type Bounds = Omit<HistoryTarget, 'namespace' | 'name'> & { readonly until?: number };

/** `until` includes its revision, and `since` does not. The history begins where the store still has it. */
async function boundsOf(query: URLSearchParams, reader: Pick<ResourceReader, 'revisionAt'>): Promise<Bounds> {
  const limit = Number(integerParameter(query, 'limit') ?? DEFAULT_LIMIT);
  if (limit < 1) throw badRequest('limit must be positive');
  const until = await revisionOf(query, 'until', reader);
  const since = await revisionOf(query, 'since', reader).catch(unlessExpired);
  const token = integerParameter(query, 'continue');
  const before = token === undefined ? until && until + 1 : Math.min(Number(token), Number.MAX_SAFE_INTEGER);
  if (before !== undefined && before < 1) throw badRequest('continue must be positive');
  return {
    limit: Math.min(limit, LARGEST_LIMIT),
    ...(before === undefined ? {} : { before }),
    ...(since === undefined ? {} : { after: since }),
    ...(until === undefined ? {} : { until }),
  };
}

/** A history since a time that the store no longer knows begins with what it has. */
function unlessExpired(error: unknown): undefined {
  if (!(error instanceof StatusError) || error.code !== 410) throw error;
}

async function revisionOf(
  query: URLSearchParams,
  parameter: string,
  reader: Pick<ResourceReader, 'revisionAt'>,
): Promise<number | undefined> {
  const text = query.get(parameter);
  if (text === null) return undefined;
  const point = pointOf(text, parameter);
  return point.type === 'revision' ? point.revision : reader.revisionAt(point.time);
}

function pointOf(text: string, parameter: string): HistoryPoint {
  try {
    return parseHistoryPoint(text);
  } catch (error) {
    if (!(error instanceof TimeParseError)) throw error;
    throw badRequest(`${parameter} must be a resourceVersion or a time as in RFC 3339: ${error.message}`);
  }
}

function headOf({ after, next }: StoredHistory, until: number): string {
  const metadata = {
    resourceVersion: String(until),
    since: String(after),
    ...(next === undefined ? {} : { continue: String(next) }),
  };
  return `{"kind":"History","apiVersion":"binnacle.dev/v1","metadata":${JSON.stringify(metadata)},"items":[`;
}

const TYPES = { created: 'ADDED', modified: 'MODIFIED', deleted: 'DELETED' } as const;

function* itemOf(event: PastEvent, { view, reader }: Shown): Generator<Uint8Array> {
  const { revision, time, writer, object, previous, forgotten } = event;
  const facts = JSON.stringify({
    type: TYPES[event.type],
    resourceVersion: String(revision),
    ...(time === undefined ? {} : { time: new Date(time).toISOString() }),
    ...(writer === undefined ? {} : { writer }),
    // Without its values, only this says what an event was about.
    ...(forgotten.length === 0 ? {} : { forgotten, reference: reader.referenceOf(event.key) }),
  });
  yield Buffer.from(facts.slice(0, -1));
  for (const [field, stored] of [
    ['object', object],
    ['previous', previous],
  ] as const) {
    if (stored === undefined) continue;
    yield Buffer.from(`,"${field}":`);
    yield documentOf(stored, view);
  }
  yield Buffer.from('}');
}

/** Without the newline at the end of a document. */
function documentOf(stored: StoredObject, view: View): Uint8Array {
  const document = jsonEncoding.stored(view, stored);
  return document.subarray(0, document.length - 1);
}
