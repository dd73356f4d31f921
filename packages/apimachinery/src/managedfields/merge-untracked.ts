import { isObject, type JsonObject, type JsonValue } from '../json/index.js';
import type { StructSchema } from '../schema/index.js';
import { finish } from '../work/index.js';
import { mergeConfiguration } from './merge/merge-configuration.js';
import { isOneValue, type OwnedSchema } from './merge/structure.js';
import { configurationProblem } from './validate-configuration.js';

/** A configuration cannot be merged. The message has upstream's words. */
export class UntrackedMergeError extends Error {}

/**
 * Merges a configuration into a document, both as clients write them. It asks no owner and records none.
 * The configuration must not hold null, or set an atomic list, map or struct: that would remove items which the
 * configuration does not name. Throws {@link UntrackedMergeError}. Upstream: apiserver `policy/mutating/patch/smd.go`.
 */
export function mergeUntracked(document: JsonObject, configuration: JsonObject, schema: StructSchema): JsonObject {
  const problem = finish(configurationProblem(configuration, schema, 'refused'));
  if (problem !== undefined) {
    throw new UntrackedMergeError(`failed to convert patch object to typed object: ${problem}`);
  }
  const wholes = wholesInStruct(configuration, schema, '');
  if (wholes.length > 0) {
    const paths = wholes.join(', ');
    throw new UntrackedMergeError(
      `invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: ${paths}`,
    );
  }
  return finish(mergeConfiguration(document, configuration, schema));
}

/** The paths of lists, maps and structs that are owned as a whole. */
function wholesInStruct(object: JsonObject, type: StructSchema, path: string): string[] {
  return Object.keys(object).flatMap((name) => {
    const field = type.byName.get(name);
    const value = object[name];
    if (field === undefined || value === undefined) return [];
    const inside = `${path}.${name}`;
    const isWhole = typeof value === 'object' && value !== null && isOneValue(field.value, field);
    return [
      ...(isWhole && !isGranularObject(field.value, value) ? [inside] : []),
      ...wholesIn(value, field.value, inside),
    ];
  });
}

function wholesIn(value: JsonValue, schema: OwnedSchema, path: string): string[] {
  if (schema === 'unknown') return [];
  if (schema.kind === 'struct') return isObject(value) ? wholesInStruct(value, schema.type, path) : [];
  if (schema.kind !== 'list' || !Array.isArray(value)) return [];
  return value.flatMap((item, index) => wholesIn(item, schema.items, `${path}[${index}]`));
}

/** An object without a schema is granular, a list is not. */
function isGranularObject(schema: OwnedSchema, value: JsonValue): boolean {
  return schema !== 'unknown' && schema.kind === 'any' && schema.granular === true && isObject(value);
}
