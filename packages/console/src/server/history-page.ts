import { isObject, type JsonObject } from '@binnacle/apimachinery/json';
import { exchange } from '@binnacle/client/rest';
import type { Transport } from '@binnacle/client/transport';

const HISTORY = '/binnacle/v1/history';

export interface HistoryPage {
  /** Newest first. */
  readonly items: readonly JsonObject[];
  /** The newest resourceVersion within the bounds. */
  readonly version: string;
}

/**
 * One page of the history of a collection or an object. Rejects with the server's StatusError, and with an Error if the
 * answer is not a page of history.
 */
export async function historyPage(
  transport: Transport,
  path: string,
  parameters: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<HistoryPage> {
  const query = new URLSearchParams(parameters).toString();
  const page = await exchange(transport, { method: 'GET', path: `${HISTORY}${path}?${query}` }, { signal });
  const { items, metadata } = page;
  const version = isObject(metadata) ? metadata['resourceVersion'] : undefined;
  if (!Array.isArray(items) || typeof version !== 'string') throw new Error('the server keeps no history');
  return { items: items.filter(isObject), version };
}

/** Whether the server keeps a history that this user may read. False after a failure; rejects only when the signal fires. */
export async function keepsHistory(transport: Transport, signal: AbortSignal): Promise<boolean> {
  try {
    await historyPage(transport, '/api/v1/namespaces', { limit: '1' }, signal);
    return true;
  } catch {
    signal.throwIfAborted();
    return false;
  }
}
