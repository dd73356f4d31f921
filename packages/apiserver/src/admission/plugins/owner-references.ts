import {
  formatGroupVersion,
  type GroupVersionKind,
  type GroupVersionResource,
  type OwnerReference,
  parseGroupVersion,
} from '@binnacle/apimachinery/meta';
import { quoteGo } from '@binnacle/apimachinery/status';
import { semanticEqual } from '@binnacle/apimachinery/validation';
import type { UserInfo } from '../../authentication/index.js';
import { isTurnOver, pause } from '../../slices/index.js';
import type { AdmissionAttributes, AdmissionPlugin } from '../plugin.js';
import { refusal } from '../refuse.js';

/** A right on one object. */
export interface ObjectRight {
  readonly verb: 'delete' | 'update';
  readonly resource: GroupVersionResource;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
}

export interface OwnerRights {
  /** Why the user lacks the right, as upstream prints a decision; undefined: the user has it. */
  denial(user: UserInfo, right: ObjectRight): Promise<string | undefined>;
  /** Whether the user may update the finalizers of all objects. */
  mayFinalizeAll(user: UserInfo): Promise<boolean>;
  /** The resource of a kind in exactly its version; undefined: it is not served. */
  resourceOf(
    kind: GroupVersionKind,
  ): { readonly resource: GroupVersionResource; readonly namespaced: boolean } | undefined;
}

/**
 * Only users who may delete an object change its owners, and only users who may set an owner's finalizers let the object
 * block the owner's deletion. Upstream: `plugin/pkg/admission/gc`.
 */
export function ownerReferencesPermissionEnforcement(rights: OwnerRights): AdmissionPlugin {
  return {
    name: 'OwnerReferencesPermissionEnforcement',
    handles: (operation) => operation === 'CREATE' || operation === 'UPDATE',
    validate(attributes) {
      const { object, oldObject, resource, subresource } = attributes;
      // The status of a pod cannot change its owners.
      if (resource.group === '' && resource.resource === 'pods' && subresource === 'status') return;
      const owners = object?.metadata.ownerReferences ?? [];
      const before = oldObject?.metadata.ownerReferences ?? [];
      return semanticEqual(owners, before) ? undefined : check(attributes, newlyBlocked(owners, before));
    },
  };

  async function check(attributes: AdmissionAttributes, blocked: readonly OwnerReference[]): Promise<void> {
    const { user, operation, resource, subresource, namespace, name } = attributes;
    if (operation !== 'CREATE') {
      const why = await rights.denial(user, { verb: 'delete', resource, subresource, namespace, name });
      if (why !== undefined) {
        throw refusal(attributes, `cannot set an ownerRef on a resource you can't delete: ${why}`);
      }
    }
    // Such a user may name owners of any kind, also of one that is not served.
    if (blocked.length === 0 || (await rights.mayFinalizeAll(user))) return;
    for (const owner of blocked) {
      if (isTurnOver()) await pause();
      await checkOwner(attributes, owner);
    }
  }

  async function checkOwner(
    attributes: AdmissionAttributes,
    { apiVersion, kind, name }: OwnerReference,
  ): Promise<void> {
    const groupVersion = parseGroupVersion(apiVersion);
    const found = groupVersion && rights.resourceOf({ ...groupVersion, kind });
    if (found === undefined) {
      const where = `cannot find RESTMapping for APIVersion ${apiVersion} Kind ${kind}`;
      throw refusal(
        attributes,
        `cannot set blockOwnerDeletion in this case because ${where}: ${missing(apiVersion, kind)}`,
      );
    }
    const why = await rights.denial(attributes.user, {
      verb: 'update',
      resource: found.resource,
      subresource: 'finalizers',
      namespace: found.namespaced ? attributes.namespace : '',
      name,
    });
    if (why === undefined) return;
    const what = "cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on";
    throw refusal(attributes, `${what}: ${why}`);
  }
}

/** The owners whose deletion an object blocks, and did not block before. Of owners with the same uid, the last counts. */
function newlyBlocked(owners: readonly OwnerReference[], before: readonly OwnerReference[]): readonly OwnerReference[] {
  const wasBlocked = new Map(before.map((owner) => [owner.uid, blocks(owner)]));
  return owners.filter((owner) => blocks(owner) && wasBlocked.get(owner.uid) !== true);
}

const blocks = ({ blockOwnerDeletion }: OwnerReference): boolean => blockOwnerDeletion === true;

/** Upstream: apimachinery `meta.NoKindMatchError`. */
function missing(apiVersion: string, kind: string): string {
  const groupVersion = parseGroupVersion(apiVersion);
  if (groupVersion === undefined) return `unexpected GroupVersion string: ${apiVersion}`;
  return `no matches for kind ${quoteGo(kind)} in version ${quoteGo(formatGroupVersion(groupVersion))}`;
}
