import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import { notFound } from '@binnacle/apimachinery/status';
import { refused } from '../authentication/index.js';
import type { BoundObject, TokenClaims } from './claims.js';

export type SubjectResource = 'serviceaccounts' | 'secrets' | 'pods' | 'nodes';

/** Reads the objects to which tokens are bound. */
export interface TokenSubjects {
  /**
   * The object of this name, undefined when there is none. A cached one suffices if it has this uid. `namespace` is ''
   * for nodes.
   */
  find(
    resource: SubjectResource,
    namespace: string,
    name: string,
    uid: string,
  ): Promise<Readonly<KubernetesObject> | undefined>;
}

/** The names of the kinds in upstream's messages. */
const kinds: ReadonlyMap<SubjectResource, string> = new Map([
  ['secrets', 'secret'],
  ['pods', 'pod'],
  ['nodes', 'node'],
]);

/**
 * Throws unless the account and every bound object still exist. Objects marked for deletion before `deletedBefore`
 * (milliseconds) count as deleted.
 * Upstream: kubernetes `pkg/serviceaccount/claims.go` Validate.
 */
export async function checkBindings(
  claims: TokenClaims,
  subjects: TokenSubjects,
  deletedBefore: number,
): Promise<void> {
  const { namespace, serviceAccount, secret, pod, node } = claims;
  const { name, uid } = serviceAccount;
  if (name === '') throw refused('resource name may not be empty');
  const account = await subjects.find('serviceaccounts', namespace, name, uid);
  if (account === undefined) throw refused(notFound({ group: '', resource: 'serviceaccounts' }, name).message);
  if (account.metadata.uid !== uid) {
    throw refused(`service account UID (${account.metadata.uid}) does not match claim (${uid})`);
  }
  if (isDeleted(account, deletedBefore)) throw refused(`service account ${namespace}/${name} has been deleted`);

  const check = async (resource: SubjectResource, within: string, bound: BoundObject): Promise<void> => {
    const object = bound.name === '' ? undefined : await subjects.find(resource, within, bound.name, bound.uid);
    if (object === undefined) throw refused('service account token has been invalidated');
    if (object.metadata.uid !== bound.uid) {
      const kind = kinds.get(resource);
      const claim = `service account ${kind} ref claim (${bound.uid})`;
      throw refused(`${kind} UID (${object.metadata.uid}) does not match ${claim}`);
    }
    if (isDeleted(object, deletedBefore)) throw refused('service account token has been invalidated');
  };
  if (secret !== undefined) await check('secrets', namespace, secret);
  if (pod !== undefined) await check('pods', namespace, pod);
  else if (node !== undefined) await check('nodes', '', node);
}

function isDeleted({ metadata }: Readonly<KubernetesObject>, before: number): boolean {
  return metadata.deletionTimestamp !== undefined && Date.parse(metadata.deletionTimestamp) < before;
}
