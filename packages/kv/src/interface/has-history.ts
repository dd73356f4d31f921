import type { KV } from './kv.js';

/** Whether a store tells its past events; see {@link KV.history}. */
export function hasHistory(kv: KV): kv is KV & Required<Pick<KV, 'history' | 'revisionAt'>> {
  return kv.history !== undefined && kv.revisionAt !== undefined;
}
