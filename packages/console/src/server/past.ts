import { messageOf } from '@binnacle/apimachinery/errors';
import { isObject, type JsonObject } from '@binnacle/apimachinery/json';
import { exchange, isExpired, isForbidden, isNotFound } from '@binnacle/client/rest';
import type { Transport } from '@binnacle/client/transport';
import { type Batch, type KindInfo, objectPath, rowOf } from '../model/index.js';
import { historyPage } from './history-page.js';

const PAGE = '500';
/** Kinds that are read at once. */
const AT_ONCE = 8;

/** A point of the history: a resourceVersion, or a time in RFC 3339. */
export type Point = { readonly version: string } | { readonly time: string };

/** Undefined: neither or both are given, or malformed. */
export function pointOf(parameters: URLSearchParams): Point | undefined {
  const [version, time] = [parameters.get('version'), parameters.get('time')];
  if (version !== null && time === null && /^[1-9][0-9]{0,18}$/.test(version)) return { version };
  if (time !== null && version === null && Number.isFinite(Date.parse(time))) return { time };
  return undefined;
}

/**
 * The rows of all objects as they were, in batches, each kind after the other. A kind that cannot be read, or whose former
 * values are forgotten, is a fault. Rejects when the whole state is gone (410).
 */
export async function* pastRows(
  transport: Transport,
  kinds: readonly KindInfo[],
  point: Point,
  signal: AbortSignal,
): AsyncGenerator<Batch, void, undefined> {
  const version = 'version' in point ? point.version : await versionAt(transport, point.time, signal);
  yield { kinds };
  for (let start = 0; start < kinds.length; start += AT_ONCE) {
    const some = kinds
      .slice(start, start + AT_ONCE)
      .map((kind, at) => rowsOfKind(transport, kind, start + at, version, signal));
    // The first pages of several kinds are requested together; most kinds have no second one.
    const firsts = await Promise.all(some.map(async (batches) => batches.next()));
    for (const [at, batches] of some.entries()) {
      const first = firsts[at];
      if (first === undefined || first.done === true) continue;
      yield first.value;
      yield* batches;
    }
  }
  yield { complete: version };
}

async function* rowsOfKind(
  transport: Transport,
  kind: KindInfo,
  index: number,
  version: string,
  signal: AbortSignal,
): AsyncGenerator<Batch, void, undefined> {
  try {
    for await (const objects of pagesAt(transport, kind, version, signal)) {
      yield { rows: objects.map((object) => rowOf(kind.kind, index, object)) };
    }
  } catch (error) {
    const isLeftOut = isForbidden(error) || isNotFound(error) || (await isForgotten(transport, error, version, signal));
    if (!isLeftOut) throw error;
    yield { faults: [[index, messageOf(error)]] };
  }
}

/** Whether the server has forgotten the values of one kind, and still has the history. */
async function isForgotten(
  transport: Transport,
  error: unknown,
  version: string,
  signal: AbortSignal,
): Promise<boolean> {
  if (!isExpired(error)) return false;
  try {
    await historyPage(transport, '/api/v1/namespaces', { until: version, limit: '1' }, signal);
    return true;
  } catch {
    signal.throwIfAborted();
    return false;
  }
}

/** The newest resourceVersion at a time. Only a server that keeps a history knows. */
async function versionAt(transport: Transport, time: string, signal: AbortSignal): Promise<string> {
  const page = await historyPage(transport, '/api/v1/namespaces', { until: time, limit: '1' }, signal);
  return page.version;
}

async function* pagesAt(
  transport: Transport,
  kind: KindInfo,
  version: string,
  signal: AbortSignal,
): AsyncGenerator<JsonObject[], void, undefined> {
  const path = objectPath(kind, '');
  let query = new URLSearchParams({ resourceVersion: version, resourceVersionMatch: 'Exact', limit: PAGE });
  for (;;) {
    const list = await exchange(transport, { method: 'GET', path: `${path}?${query.toString()}` }, { signal });
    const { items, metadata } = list;
    if (Array.isArray(items)) yield items.filter(isObject);
    const token = isObject(metadata) ? metadata['continue'] : undefined;
    if (typeof token !== 'string' || token === '') return;
    query = new URLSearchParams({ limit: PAGE, continue: token });
  }
}
