import type { StructSchema } from '../schema/index.js';
import type { Steps } from '../work/index.js';
import type { Comparison } from './merge/compare.js';
import { ConflictError, conflictsOf } from './conflicts.js';
import type { FieldSet } from './fieldsets/field-set.js';
import type { Manager, Managers } from './managers.js';
import { reconcileOnce } from './fieldsets/schema-sets.js';

export interface TakeFieldsOptions {
  /** The changes of a write in a version; undefined if the version no longer exists. */
  readonly changesIn: (apiVersion: string) => Steps<Comparison | undefined>;
  /** The key of the applying manager, which keeps all its fields; undefined for other writes. */
  readonly applier?: string | undefined;
  /** Without force, an applier that would take a field throws a {@link ConflictError}. */
  readonly force: boolean;
}

/**
 * The fields left to each manager after a write: without those that it added, changed or removed. Omits managers
 * without fields, and those of removed versions. Upstream: structured-merge-diff `Updater.update`.
 */
export function* takeFields(
  managers: Managers,
  { changesIn, applier, force }: TakeFieldsOptions,
): Steps<Map<string, Manager>> {
  const owners = new Map<string, Manager>();
  const taken = new Map<string, FieldSet>();
  for (const [key, manager] of managers) {
    if (key === applier) {
      if (!manager.fields.isEmpty) owners.set(key, manager);
      continue;
    }
    const changes = yield* changesIn(manager.apiVersion);
    yield;
    if (changes === undefined) continue;
    const lost = yield* manager.fields.intersectionInSteps(yield* changes.modified.unionInSteps(changes.added));
    if (!lost.isEmpty) taken.set(key, lost);
    const left = yield* manager.fields.differenceInSteps(lost);
    const fields = yield* left.differenceInSteps(changes.removed);
    if (!fields.isEmpty) owners.set(key, withFields(manager, fields));
    yield;
  }
  if (!force && taken.size > 0) throw new ConflictError(yield* conflictsOf(managers, taken));
  return owners;
}

/** The managers with their fields adapted to the current schemas. Omits those of removed versions. */
export function* reconcileManagers(
  managers: Managers,
  schemaIn: (apiVersion: string) => Steps<StructSchema | undefined>,
): Steps<Map<string, Manager>> {
  const reconciled = new Map<string, Manager>();
  for (const [key, manager] of managers) {
    const schema = yield* schemaIn(manager.apiVersion);
    if (schema === undefined) continue;
    reconciled.set(key, withFields(manager, yield* reconcileOnce(manager.fields, schema)));
  }
  return reconciled;
}

function withFields(manager: Manager, fields: FieldSet): Manager {
  return fields === manager.fields ? manager : { ...manager, fields, encoded: undefined };
}
