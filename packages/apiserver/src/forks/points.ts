import { badRequest } from '@binnacle/apimachinery/status';
import { TimeParseError } from '@binnacle/apimachinery/time';
import { validateDns1035Label } from '@binnacle/apimachinery/validation';
import type { KV } from '@binnacle/kv';
import { type HistoryPoint, parseHistoryPoint } from '../request/index.js';
import { forgotten, notForStore, refusalOf } from './refusals.js';
import type { Snapshot } from './snapshots.js';

export interface PointSources {
  readonly kv: KV;
  readonly snapshots: { find(name: string): Promise<Snapshot | undefined> };
}

const DESCRIPTION = 'a resourceVersion, a time as in RFC 3339, or the name of a snapshot';

/**
 * The revision of a point in the history; undefined: the newest. Throws 400 for an invalid point or one in the future, 410 if the store no longer
 * knows.
 */
export async function revisionOf(
  { kv, snapshots }: PointSources,
  point: string | undefined,
  signal: AbortSignal,
): Promise<number> {
  if (kv.revisionAt === undefined) throw notForStore();
  try {
    const newest = await kv.currentRevision(signal);
    if (point === undefined) return newest;
    if (isName(point)) {
      const snapshot = await snapshots.find(point);
      if (snapshot === undefined) throw badRequest(`there is no snapshot ${JSON.stringify(point)}`);
      return snapshot.revision;
    }
    const read = parsed(point);
    return await (read.type === 'time' ? kv.revisionAt(read.time, signal) : checked(kv, read.revision, newest));
  } catch (error) {
    throw refusalOf(error);
  }
}

/** Whether the text names a snapshot. No revision and no time has the form of a name. */
export function isName(text: string): boolean {
  return validateDns1035Label(text).length === 0;
}

async function checked(kv: KV, revision: number, newest: number): Promise<number> {
  if (revision > newest) throw badRequest(`revision ${revision} has not been reached, the newest is ${newest}`);
  const { compactedRevision } = await kv.status();
  if (revision >= Math.max(compactedRevision, 1)) return revision;
  throw forgotten(`revision ${revision} has been compacted, the oldest is ${compactedRevision}`);
}

function parsed(text: string): HistoryPoint {
  try {
    return parseHistoryPoint(text);
  } catch (error) {
    if (!(error instanceof TimeParseError)) throw error;
    throw badRequest(`${JSON.stringify(text)} is not ${DESCRIPTION}`);
  }
}
