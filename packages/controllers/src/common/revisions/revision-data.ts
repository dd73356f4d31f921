import { deepEqual, isObject, type JsonObject, type JsonValue, stringifyJson } from '@binnacle/apimachinery/json';
import { asJson } from '@binnacle/apimachinery/meta';
import type { ControllerRevision } from '@binnacle/client/kinds/apps/v1';
import type { PodTemplateSpec } from '@binnacle/client/kinds/core/v1';

/** The data of a revision: a strategic merge patch that puts the template back. Upstream: `getPatch` of StatefulSets and DaemonSets. */
export function revisionData(template: PodTemplateSpec): JsonObject {
  return { spec: { template: { ...asJson(template), $patch: 'replace' } } };
}

/** The text whose hash names the revision. */
export function revisionText(data: JsonObject): string {
  return stringifyJson(data, { sortKeys: true });
}

/** Whether the revision has exactly this data. */
export function hasData({ data }: ControllerRevision, wanted: JsonObject): boolean {
  return isObject(data) && deepEqual(data, wanted);
}

/**
 * Whether the revision puts the same state back, although another version of Kubernetes may have written it: earlier ones wrote
 * `creationTimestamp: null` into templates. A new revision would restart all pods. Upstream: `setMatchesLatestExistingRevision`.
 */
export function restores({ data }: ControllerRevision, wanted: JsonObject): boolean {
  return deepEqual(withoutNulls(data as JsonValue), wanted);
}

/** The template of a revision. */
export function templateOfRevision({ metadata, data }: ControllerRevision): PodTemplateSpec {
  const spec = isObject(data) ? data['spec'] : undefined;
  const patch = isObject(spec) ? spec['template'] : undefined;
  if (!isObject(patch)) throw new Error(`revision ${metadata.name ?? ''} has no template`);
  const { $patch: _, ...template } = patch;
  return template;
}

function withoutNulls(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isObject(value)) return value;
  const present = Object.entries(value).filter(([, member]) => member !== null && member !== undefined);
  return Object.fromEntries(present.map(([key, member]) => [key, withoutNulls(member ?? null)]));
}
