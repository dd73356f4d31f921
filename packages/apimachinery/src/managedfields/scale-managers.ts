import type { ManagedFieldsEntry } from '../meta/index.js';
import { unclassified } from '../status/index.js';
import { finish } from '../work/index.js';
import { FieldSet } from './fieldsets/field-set.js';
import { decodeManagers, encodeManagers, type Manager, ManagedFieldsError } from './managers.js';
import { fieldElement, PathElementError } from './fieldsets/path-element.js';

const SCALE_VERSION = 'autoscaling/v1';
/** The path of the replicas, in a scale and in every upstream kind with a scale. */
const replicas = [fieldElement('spec'), fieldElement('replicas')];
const replicasSet = FieldSet.of(replicas);

type Entries = readonly ManagedFieldsEntry[] | undefined;

/**
 * The managers of an object as its scale shows them: the owners of the replicas. `versions` are those of the object's
 * kind. Throws a StatusError for invalid entries. Upstream: apimachinery `managedfields.ScaleHandler.ToSubresource`.
 */
export function toScaleManagers(entries: Entries, versions: ReadonlySet<string>): ManagedFieldsEntry[] | undefined {
  const shown = new Map<string, Manager>();
  for (const [key, manager] of readEntries(entries)) {
    if (!versions.has(manager.apiVersion) || !manager.fields.has(replicas)) continue;
    shown.set(key, { ...manager, apiVersion: SCALE_VERSION, fields: replicasSet, encoded: undefined });
  }
  return finish(encodeManagers(shown));
}

/**
 * The managers of an object after a write to its scale, which then has `scaleEntries`. Managers that lost the replicas
 * there lose them here. Managers that gained them own them in `apiVersion`, without a time, because upstream looks the
 * time up among the previous ones. Upstream: apimachinery `managedfields.ScaleHandler.ToParent`.
 */
export function fromScaleManagers(
  entries: Entries,
  scaleEntries: Entries,
  apiVersion: string,
  versions: ReadonlySet<string>,
): ManagedFieldsEntry[] | undefined {
  const before = readEntries(entries);
  const ofScale = readEntries(scaleEntries);
  const after = new Map<string, Manager>();
  for (const [key, manager] of before) {
    if (!versions.has(manager.apiVersion)) continue;
    if (!manager.fields.has(replicas) || ofScale.delete(key)) {
      after.set(key, manager);
      continue;
    }
    const fields = manager.fields.difference(replicasSet);
    if (!fields.isEmpty) after.set(key, { ...manager, fields, encoded: undefined });
  }
  for (const [key, manager] of ofScale) {
    if (!manager.fields.has(replicas)) continue;
    after.set(key, { ...manager, apiVersion, time: before.get(key)?.time, fields: replicasSet, encoded: undefined });
  }
  return finish(encodeManagers(after));
}

function readEntries(entries: Entries): Map<string, Manager> {
  try {
    return finish(decodeManagers(entries, true));
  } catch (error) {
    if (error instanceof ManagedFieldsError || error instanceof PathElementError) throw unclassified(error.message);
    throw error;
  }
}
