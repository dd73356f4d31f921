import type { StructSchema } from '../schema/index.js';
import type { Steps } from '../work/index.js';
import type { Comparison } from './compare.js';
import { ConflictError, conflictsOf } from './conflicts.js';
import type { FieldSet } from './field-set.js';
import type { Manager, Managers } from './managers.js';
import { reconcileWithSchema } from './schema-sets.js';

export interface Taking {
  /** What the write changes, in a version; undefined when the version is gone. */
  readonly changesIn: (apiVersion: string) => Comparison | undefined;
  /** Key of the manager that applies, who keeps all; undefined when nobody does. */
  readonly applier?: string | undefined;
  /** Without it an applier meets a {@link ConflictError} where it would take a field. */
  readonly force: boolean;
}

/**
 * What is left to each manager after a write: not the fields that it added, changed or removed. Those who own nothing any
 * more, and those of versions that are gone, are left out.
 * Upstream: structured-merge-diff `Updater.update`.
 */
export function* takeFields(managers: Managers, { changesIn, applier, force }: Taking): Steps<Map<string, Manager>> {
  const owners = new Map<string, Manager>();
  const taken = new Map<string, FieldSet>();
  for (const [key, manager] of managers) {
    if (key === applier) {
      if (!manager.fields.isEmpty) owners.set(key, manager);
      continue;
    }
    const changes = changesIn(manager.apiVersion);
    yield;
    if (changes === undefined) continue;
    const lost = manager.fields.intersection(changes.modified.union(changes.added));
    if (!lost.isEmpty) taken.set(key, lost);
    const fields = manager.fields.difference(lost).difference(changes.removed);
    if (!fields.isEmpty) owners.set(key, withFields(manager, fields));
    yield;
  }
  if (!force && taken.size > 0) throw new ConflictError(yield* conflictsOf(managers, taken));
  return owners;
}

/** The managers as their schemas would have them now; those of versions that are gone are left out. */
export function reconcileManagers(
  managers: Managers,
  schemaIn: (apiVersion: string) => StructSchema | undefined,
): Map<string, Manager> {
  const reconciled = new Map<string, Manager>();
  for (const [key, manager] of managers) {
    const schema = schemaIn(manager.apiVersion);
    if (schema !== undefined) reconciled.set(key, withFields(manager, reconcileWithSchema(manager.fields, schema)));
  }
  return reconciled;
}

function withFields(manager: Manager, fields: FieldSet): Manager {
  return fields === manager.fields ? manager : { ...manager, fields, encoded: undefined };
}
