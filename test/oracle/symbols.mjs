const uuid = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g;
const timestamp = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;

/**
 * Replaces values that differ from run to run by symbols that keep their equality. Equal resourceVersions or UIDs of
 * a scenario get the same `<rv1>` or `<uid1>`, numbered in order of appearance. One instance serves one scenario.
 */
export class Symbols {
  #versions = new Map();
  #uids = new Map();

  /** Copies a JSON value with symbols in it. `key` is the field with that value, if any. */
  replace(value, key) {
    if (Array.isArray(value)) return value.map((item) => this.replace(item));
    if (value && typeof value === 'object') {
      return Object.fromEntries(
        Object.entries(value).map(([name, field]) => [
          name,
          name === 'continue' && field ? '<continue>' : this.replace(field, name),
        ]),
      );
    }
    if (typeof value !== 'string') return value;
    // "0" is not a version: it asks for any.
    if (key === 'resourceVersion' && /^\d+$/.test(value) && value !== '0') return symbol(this.#versions, value, 'rv');
    return value.replace(uuid, (uid) => symbol(this.#uids, uid, 'uid')).replace(timestamp, '<time>');
  }
}

function symbol(known, value, prefix) {
  let found = known.get(value);
  if (found === undefined) {
    found = `<${prefix}${known.size + 1}>`;
    known.set(value, found);
  }
  return found;
}
