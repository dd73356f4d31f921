import { duplicate, type FieldError, tooMany } from '@binnacle/apimachinery/status';
import { errorsOfEntries } from '@binnacle/apimachinery/validation';
import { each, list } from '../common.js';

// Upstream: `validateSlice`, `validateSet`, `validateMap` of `pkg/apis/resource/validation`.

type ItemRule<T> = (item: T, path: string, index: number) => FieldError[];

/** Too many items give one error, and none of them is validated. */
export function validateItems<T>(
  items: readonly T[] | undefined,
  maximum: number,
  field: string,
  rule: ItemRule<T>,
): FieldError[] {
  const count = list(items).length;
  return count > maximum ? [tooMany(field, count, maximum)] : each(items, field, rule);
}

/** Like {@link validateItems}, and rejects two items with the same key. */
export function validateSet<T>(
  items: readonly T[] | undefined,
  maximum: number,
  field: string,
  rule: ItemRule<T>,
  keyOf: (item: T) => string,
  shown: (item: T) => unknown = keyOf,
): FieldError[] {
  const count = list(items).length;
  if (count > maximum) return [tooMany(field, count, maximum)];
  const seen = new Set<string>();
  return [
    ...each(items, field, rule),
    ...each(items, field, (item, path) => {
      const key = keyOf(item);
      if (seen.has(key)) return [duplicate(path, shown(item))];
      seen.add(key);
      return [];
    }),
  ];
}

/** Reports errors of keys at the map. Cuts long keys in the paths of values. */
export function validateMap<T>(
  map: Readonly<Record<string, T>> | undefined,
  keyMaximum: number,
  field: string,
  keyRule: (key: string, field: string) => FieldError[],
  valueRule: (value: T, path: string) => FieldError[],
): FieldError[] {
  return errorsOfEntries(map, (key, value) => [
    ...keyRule(key, field),
    ...valueRule(value, `${field}[${shortened(key, keyMaximum)}]`),
  ]);
}

function shortened(text: string, maximum: number): string {
  if (text.length <= maximum) return text;
  const remaining = maximum - 3;
  return `${text.slice(0, Math.floor((remaining + 1) / 2))}...${text.slice(text.length - Math.floor(remaining / 2))}`;
}
