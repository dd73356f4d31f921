import { isObject, type JsonValue } from '../json/index.js';

/** True if containers nest deeper than `maximum`. Recurses no deeper than that. */
export function isDeeperThan(value: JsonValue, maximum: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (maximum === 0) return true;
  if (Array.isArray(value)) return value.some((item) => isDeeperThan(item, maximum - 1));
  if (!isObject(value)) return false;
  for (const key of Object.keys(value)) if (isDeeperThan(value[key] ?? null, maximum - 1)) return true;
  return false;
}
