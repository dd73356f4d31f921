import { isObject, type JsonObject, type JsonValue } from '@binnacle/apimachinery/json';
import { asJson, type KubernetesObject } from '@binnacle/apimachinery/meta';

/** The segments of a field's path. `*` matches each item of a list and each value of a map. */
type Path = readonly string[];

/** Fields of a feature gate that upstream has off by default. */
export interface GatedFields {
  readonly gate: string;
  readonly paths: readonly Path[];
  /** Whether an object that has no other field goes with its field. */
  readonly dropsEmptyOwners: boolean;
}

/** Paths are separated by dots: `spec.devices.*.taints`. */
export function gatedFields(gate: string, paths: readonly string[], dropsEmptyOwners = false): GatedFields {
  return { gate, paths: paths.map((path) => path.split('.')), dropsEmptyOwners };
}

/** The gates of a part of an object, as gates of the object. */
export function gatesUnder(prefix: string, gates: readonly GatedFields[]): readonly GatedFields[] {
  const before = prefix.split('.');
  return gates.map((gate) => ({ ...gate, paths: gate.paths.map((path) => [...before, ...path]) }));
}

/**
 * Drops the fields of each gate, unless the old object has one of them: what was stored while a gate was on stays.
 * Upstream: the functions named `dropDisabledFields` in `pkg/api` and `pkg/registry`.
 */
export function dropGatedFields(
  object: KubernetesObject,
  old: Readonly<KubernetesObject> | undefined,
  gates: readonly GatedFields[],
): void {
  for (const { paths, dropsEmptyOwners } of gates) {
    if (!hasAny(object, paths) || (old !== undefined && hasAny(old, paths))) continue;
    for (const path of paths) {
      dropFields(object, path, () => true);
      if (dropsEmptyOwners) dropFields(object, path.slice(0, -1), isEmpty);
    }
  }
}

const isEmpty = (value: JsonValue | undefined): boolean => isObject(value) && Object.keys(value).length === 0;

function hasAny(object: Readonly<KubernetesObject>, paths: readonly Path[]): boolean {
  return paths.some((path) => someOwner(asJson(object), path, () => true));
}

function dropFields(object: KubernetesObject, path: Path, isDropped: (value: JsonValue | undefined) => boolean): void {
  const field = path.at(-1) ?? '';
  someOwner(asJson(object), path, (owner) => {
    if (isDropped(owner[field])) delete owner[field];
    return false;
  });
}

/** Calls with each object that has the last field of a path, until a call returns true. Returns whether one did. */
function someOwner(value: JsonValue | undefined, path: Path, call: (owner: JsonObject) => boolean, depth = 0): boolean {
  const field = path[depth] ?? '';
  if (field === '*') {
    const items = Array.isArray(value) ? value : isObject(value) ? Object.values(value) : [];
    return items.some((item) => someOwner(item, path, call, depth + 1));
  }
  if (!isObject(value) || !Object.hasOwn(value, field) || value[field] === undefined) return false;
  return depth === path.length - 1 ? call(value) : someOwner(value[field], path, call, depth + 1);
}
