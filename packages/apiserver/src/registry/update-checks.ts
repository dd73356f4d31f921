import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import { conflict, invalid, invalidValue, OPTIMISTIC_LOCK_MESSAGE, unclassified } from '@binnacle/apimachinery/status';
import { parseResourceVersion } from '../request/index.js';
import { preconditionFailed } from './precondition.js';
import type { ResourceInfo } from './resource-info.js';
import type { Preconditions } from './scope.js';
import type { Strategy } from './strategy.js';

/** Throws 409 unless the state under `key` has the uid and the resourceVersion that the client requires. */
export function checkPreconditions(
  { resource }: ResourceInfo,
  { key, name, preconditions }: { readonly key: string; readonly name: string; readonly preconditions?: Preconditions },
  actual: { readonly uid: string; readonly resourceVersion: string },
): void {
  const parts: readonly (readonly [what: string, part: 'uid' | 'resourceVersion'])[] = [
    ['UID', 'uid'],
    ['ResourceVersion', 'resourceVersion'],
  ];
  for (const [what, part] of parts) {
    const wanted = preconditions?.[part];
    if (wanted === undefined || wanted === actual[part]) continue;
    throw conflict(
      resource,
      name,
      `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ` +
        preconditionFailed(what, wanted, actual[part]),
    );
  }
}

/** Throws unless the object was made from revision `current`. An object without a version takes that one, if the kind allows it. */
export function checkVersion(
  { resource }: ResourceInfo,
  { allowUnconditionalUpdate }: Pick<Strategy, 'allowUnconditionalUpdate'>,
  name: string,
  object: KubernetesObject,
  current: number,
): void {
  const version = parseResourceVersion(object.metadata.resourceVersion ?? '');
  if (typeof version === 'string') throw unclassified(version);
  if (version === 0) {
    if (allowUnconditionalUpdate !== false) {
      object.metadata.resourceVersion = String(current);
      return;
    }
    // Upstream names the resource for the kind.
    throw invalid({ group: resource.group, kind: resource.resource }, name, [
      invalidValue('metadata.resourceVersion', 0, 'must be specified for an update'),
    ]);
  }
  if (version !== current) throw conflict(resource, name, OPTIMISTIC_LOCK_MESSAGE);
}
