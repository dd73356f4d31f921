import type { Collection } from './collection.js';
import type { Row } from './row.js';

/** An object that differs between two states. */
export interface Difference {
  readonly type: 'added' | 'changed' | 'gone';
  readonly before: Row | undefined;
  readonly after: Row | undefined;
}

/** The objects that differ between two states, by kind, namespace and name. */
export function compareCollections(
  before: Collection,
  after: Collection,
  matches: (row: Row) => boolean = () => true,
): Difference[] {
  const found: Difference[] = [];
  for (const row of after.rows()) {
    const was = before.get(row.uid);
    if (!matches(row) || was?.version === row.version) continue;
    found.push({ type: was === undefined ? 'added' : 'changed', before: was, after: row });
  }
  for (const row of before.rows()) {
    if (matches(row) && after.get(row.uid) === undefined) found.push({ type: 'gone', before: row, after: undefined });
  }
  return found.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

function keyOf({ before, after }: Difference): string {
  const row = after ?? before;
  return row === undefined ? '' : `${String(row.kind).padStart(4, '0')} ${row.namespace} ${row.name}`;
}
