import type { BoundObjectReference } from '@binnacle/api/types/authentication-v1';
import type { Pod } from '@binnacle/api/types/core-v1';
import { type GroupResource, type KubernetesObject, parseGroupVersion } from '@binnacle/apimachinery/meta';
import { badRequest, conflict, serviceUnavailable } from '@binnacle/apimachinery/status';
import { NODES, PODS, SECRETS, type Stores } from '../registry/index.js';
import type { BoundObject, TokenClaims } from '../serviceaccounts/index.js';

/** The objects to which a token is bound. */
export type Bindings = Pick<TokenClaims, 'pod' | 'secret' | 'node'>;

/**
 * Looks up the object for a bound token. Throws when it is missing, has another uid than the client expects, or is a pod
 * of another account.
 */
export async function findBindings(
  reference: BoundObjectReference | undefined,
  accountName: string,
  namespace: string,
  stores: Stores,
): Promise<Bindings> {
  if (reference === undefined) return {};
  const { name = '', kind = '', uid = '' } = reference;
  const { group = '', version = '' } = parseGroupVersion(reference.apiVersion ?? '') ?? {};
  const read = async (resource: GroupResource, within: string): Promise<KubernetesObject> => {
    if (name === '') throw badRequest('Name parameter required.');
    const store = stores.find(resource);
    if (store === undefined) throw serviceUnavailable(`${resource.resource} are not served`);
    return (await store.reader.get(within, name)).decode();
  };
  const bound = (object: KubernetesObject): BoundObject => {
    const held = object.metadata.uid ?? '';
    if (uid !== '' && uid !== held) {
      const reason = `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`;
      throw conflict({ group, resource: kind }, name, reason);
    }
    return { name, uid: held };
  };
  switch (group === '' ? kind : '') {
    case 'Pod': {
      const pod: KubernetesObject & Pod = await read(PODS, namespace);
      if (pod.spec?.serviceAccountName !== accountName) {
        const account = JSON.stringify(accountName);
        throw badRequest(
          `cannot bind token for serviceaccount ${account} to pod running with different serviceaccount name.`,
        );
      }
      const node = await nodeOf(pod, stores);
      return { pod: bound(pod), ...(node === undefined ? {} : { node }) };
    }
    case 'Secret':
      return { secret: bound(await read(SECRETS, namespace)) };
    case 'Node':
      return { node: bound(await read(NODES, '')) };
    default:
      throw badRequest(`cannot bind token to object of type ${group}/${version}, Kind=${kind}`);
  }
}

/** The node of a pod, which the token also names. A deleted node is named without a uid. */
async function nodeOf({ spec }: Pod, stores: Stores): Promise<BoundObject | undefined> {
  const name = spec?.nodeName ?? '';
  if (name === '') return undefined;
  const node = await stores.reader(NODES).find('', name);
  return { name, uid: node?.metadata.uid ?? '' };
}
