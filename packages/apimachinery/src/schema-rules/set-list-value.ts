import { EvaluationError, type ListSource, ListValue, MapValue, type Value } from '../cel/index.js';
import { scalarKey } from './scalar-key.js';

/** A list of `x-kubernetes-list-type: set`. Equality ignores order. `+` adds missing items. */
export class SetListValue extends ListValue {
  #members: ReadonlySet<string> | undefined;

  override equals(other: ListValue): boolean {
    if (this.size !== other.size) return false;
    const members = this.#keys();
    const seen = new Set<string>();
    for (const item of other) {
      const key = memberKey(item);
      if (!members.has(key)) return false;
      seen.add(key);
    }
    return seen.size === members.size;
  }

  override concat(other: ListValue): ListValue {
    const members = new Set(this.#keys());
    const items = [...this];
    for (const item of other) {
      const key = memberKey(item);
      if (members.has(key)) continue;
      members.add(key);
      items.push(item);
    }
    return new SetListValue(sourceOf(items));
  }

  #keys(): ReadonlySet<string> {
    this.#members ??= new Set(Array.from(this, memberKey));
    return this.#members;
  }
}

export function sourceOf(items: readonly Value[]): ListSource {
  return { size: items.length, at: (index) => items[index] ?? null };
}

function memberKey(item: Value): string {
  if (item instanceof ListValue || item instanceof MapValue) {
    throw new EvaluationError('listSet operations are only supported on lists of scalar values');
  }
  return scalarKey(item);
}
