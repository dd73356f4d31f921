import type { ManagedFieldsEntry } from '../meta/index.js';
import { unclassified } from '../status/index.js';
import { finish } from '../work/index.js';
import { FieldSet } from './fieldsets/field-set.js';
import { decodeManagers, encodeManagers, type Manager, ManagedFieldsError } from './managers.js';
import { fieldElement, type PathElement, PathElementError } from './fieldsets/path-element.js';

const SCALE_VERSION = 'autoscaling/v1';
const replicasOfScale = [fieldElement('spec'), fieldElement('replicas')];
const replicasOfScaleSet = FieldSet.of(replicasOfScale);

/** The path of the desired replicas in each version of a kind, as field names. Undefined: the version has no scale. */
export type ReplicasPaths = ReadonlyMap<string, readonly string[] | undefined>;

type Entries = readonly ManagedFieldsEntry[] | undefined;

/**
 * The managers of an object as its scale shows them: the owners of the replicas, in any version of `paths`. Throws a
 * StatusError for invalid entries. Upstream: apimachinery `managedfields.ScaleHandler.ToSubresource`.
 */
export function toScaleManagers(entries: Entries, paths: ReplicasPaths): ManagedFieldsEntry[] | undefined {
  const shown = new Map<string, Manager>();
  for (const [key, manager] of readEntries(entries)) {
    const replicas = replicasIn(manager.apiVersion, paths);
    if (replicas === undefined || !manager.fields.has(replicas)) continue;
    shown.set(key, { ...manager, apiVersion: SCALE_VERSION, fields: replicasOfScaleSet, encoded: undefined });
  }
  return finish(encodeManagers(shown));
}

/**
 * The managers of an object after a write to its scale, which then has `scaleEntries`. Managers that lost the replicas
 * there lose them here. Managers that gained them own them in `apiVersion`, without a time, because upstream looks the
 * time up among the previous ones. Managers of versions that `paths` lacks are dropped. Upstream: apimachinery
 * `managedfields.ScaleHandler.ToParent`.
 */
export function fromScaleManagers(
  entries: Entries,
  scaleEntries: Entries,
  apiVersion: string,
  paths: ReplicasPaths,
): ManagedFieldsEntry[] | undefined {
  const before = readEntries(entries);
  const ofScale = readEntries(scaleEntries);
  const after = new Map<string, Manager>();
  for (const [key, manager] of before) {
    if (!paths.has(manager.apiVersion)) continue;
    const replicas = replicasIn(manager.apiVersion, paths);
    if (replicas === undefined || !manager.fields.has(replicas) || ofScale.delete(key)) {
      after.set(key, manager);
      continue;
    }
    const fields = manager.fields.difference(FieldSet.of(replicas));
    if (!fields.isEmpty) after.set(key, { ...manager, fields, encoded: undefined });
  }
  const gained = replicasIn(apiVersion, paths);
  for (const [key, manager] of ofScale) {
    if (gained === undefined || !manager.fields.has(replicasOfScale)) continue;
    const fields = FieldSet.of(gained);
    after.set(key, { ...manager, apiVersion, time: before.get(key)?.time, fields, encoded: undefined });
  }
  return finish(encodeManagers(after));
}

function replicasIn(apiVersion: string, paths: ReplicasPaths): PathElement[] | undefined {
  return paths.get(apiVersion)?.map(fieldElement);
}

function readEntries(entries: Entries): Map<string, Manager> {
  try {
    return finish(decodeManagers(entries, true));
  } catch (error) {
    if (error instanceof ManagedFieldsError || error instanceof PathElementError) throw unclassified(error.message);
    throw error;
  }
}
