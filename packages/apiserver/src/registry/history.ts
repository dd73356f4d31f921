import { badRequest, resourceExpired } from '@binnacle/apimachinery/status';
import { StorageError } from '../storage/index.js';

/** Which events of the past to read. */
export interface HistoryTarget {
  /** '' = all. */
  readonly namespace: string;
  /** '' = all objects. */
  readonly name: string;
  /** Only events before this revision. */
  readonly before?: number;
  /** Only events after this revision. */
  readonly after?: number;
  readonly limit: number;
}

/** The answer of a store about its history. Throws 410 if that history is compacted, and 400 if the store keeps none. */
export async function keptHistory<T>(answer: Promise<T | undefined>): Promise<T> {
  let told: T | undefined;
  try {
    told = await answer;
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    if (error.code === 'expired') throw resourceExpired(`The history is no longer kept: ${error.message}.`);
    if (error.code === 'future') throw badRequest(error.message);
    throw error;
  }
  if (told !== undefined) return told;
  throw badRequest(
    'the store of this server, etcd, keeps no history of events; lists at an older resourceVersion work',
  );
}
