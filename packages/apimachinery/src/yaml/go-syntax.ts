import { formatGoValue, isObject, type JsonValue, sortedKeys } from '../json/index.js';
import { quoteGo, shortenValue } from '../status/index.js';
import type { Steps } from '../work/index.js';

/** About a millisecond of work. */
const MEMBERS_PER_STEP = 1000;

/** A value of a YAML document as Go's `%#v` prints it, except that long strings are shortened. All keys of a map count as strings. */
export function* goSyntax(value: JsonValue): Steps<string> {
  if (typeof value === 'string') return quoteGo(shortenValue(value));
  if (Array.isArray(value)) {
    const items: string[] = [];
    for (const item of value) {
      items.push(yield* memberSyntax(item));
      if (items.length % MEMBERS_PER_STEP === 0) yield;
    }
    return `[]interface {}{${items.join(', ')}}`;
  }
  if (!isObject(value)) return formatGoValue(value);
  const fields: string[] = [];
  for (const key of sortedKeys(value)) {
    fields.push(`${quoteGo(key)}:${yield* memberSyntax(value[key] ?? null)}`);
    if (fields.length % MEMBERS_PER_STEP === 0) yield;
  }
  return `map[interface {}]interface {}{${fields.join(', ')}}`;
}

function* memberSyntax(value: JsonValue): Steps<string> {
  return value === null ? 'interface {}(nil)' : yield* goSyntax(value);
}
