import type { Change } from './change.js';
import type { KindInfo, Row } from './row.js';

/** What the lists show. */
export interface Filter {
  /** Empty: all. */
  readonly namespace: string;
  /** Words, all of which must occur in the kind, namespace, name or state. */
  readonly text: string;
  /** Whether to show leases and events, which change all the time. */
  readonly noise: boolean;
}

/** Kinds that change all the time and say little. */
const NOISE: readonly string[] = ['Lease', 'Event', 'EndpointSlice', 'Endpoints'];

export function isNoise({ kind }: KindInfo): boolean {
  return NOISE.includes(kind);
}

/** Whether a row or a change is shown. `kinds` are those of the feed. */
export function matcher(
  { namespace, text, noise }: Filter,
  kinds: readonly KindInfo[],
): (item: Row | Change) => boolean {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const hidden = new Set(kinds.flatMap((kind, index) => (!noise && isNoise(kind) ? [index] : [])));
  const names = kinds.map(({ kind, resource, shortNames }) => [kind, resource, ...shortNames].join(' ').toLowerCase());
  return (item) => {
    if (hidden.has(item.kind)) return false;
    if (namespace !== '' && item.namespace !== namespace) return false;
    if (words.length === 0) return true;
    const own = `${names[item.kind] ?? ''} ${item.namespace}/${item.name} ${item.text} ${item.by}`.toLowerCase();
    return words.every((word) => own.includes(word));
  };
}
