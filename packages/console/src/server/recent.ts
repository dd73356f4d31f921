import { isObject, type JsonObject, type JsonValue } from '@binnacle/apimachinery/json';
import type { Transport } from '@binnacle/client/transport';
import { type Batch, type Change, changeOf, type KindInfo, objectPath, rowOf } from '../model/index.js';
import { historyPage } from './history-page.js';

/** Events of each kind: the newest ones of the retained history. */
const OF_EACH_KIND = '100';
/** Kinds that are read at once. */
const AT_ONCE = 4;

/** The newest changes of all kinds from the server's history, each kind in the order in which they happened. */
export async function* recentChanges(
  transport: Transport,
  kinds: readonly KindInfo[],
  signal: AbortSignal,
): AsyncGenerator<Batch, void, undefined> {
  for (let start = 0; start < kinds.length; start += AT_ONCE) {
    const some = kinds.slice(start, start + AT_ONCE);
    const found = await Promise.all(some.map(async (kind, at) => changesOf(transport, kind, start + at, signal)));
    const changes = found.flat();
    if (changes.length > 0) yield { changes };
  }
}

async function changesOf(transport: Transport, kind: KindInfo, index: number, signal: AbortSignal): Promise<Change[]> {
  try {
    const page = await historyPage(transport, objectPath(kind, ''), { limit: OF_EACH_KIND }, signal);
    return page.items.flatMap((item) => changeOfEvent(kind.kind, index, item) ?? []).reverse();
  } catch {
    signal.throwIfAborted();
    // A kind whose history this user may not read has none to show.
    return [];
  }
}

/** The change that an event of the history made, by the user who made it. */
export function changeOfEvent(kind: string, index: number, item: JsonObject): Change | undefined {
  const row = (object: JsonValue | undefined) => (isObject(object) ? rowOf(kind, index, object) : undefined);
  const time = typeof item['time'] === 'string' ? Date.parse(item['time']) : Number.NaN;
  if (!Number.isFinite(time)) return undefined;
  const { object, previous, type, writer, resourceVersion } = item;
  const isForgotten = item['forgotten'] !== undefined;
  // An event whose values are forgotten still shows that the object existed.
  const left = isForgotten ? (row(object) ?? row(previous)) : undefined;
  const before = type === 'ADDED' ? undefined : (row(previous) ?? left);
  const change = changeOf(before, type === 'DELETED' ? undefined : (row(object) ?? left), time);
  if (change === undefined) return undefined;
  const user = isObject(writer) && typeof writer['user'] === 'string' ? writer['user'] : '';
  const version = typeof resourceVersion === 'string' ? resourceVersion : change.version;
  const text = isForgotten ? 'the values are forgotten' : change.text;
  return { ...change, version, text, by: user === '' ? change.by : user };
}
