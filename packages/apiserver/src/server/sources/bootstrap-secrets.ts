import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import { SECRETS, type Stores } from '../../registry/index.js';
import { ANY } from '../../request/index.js';

const NAMESPACE = 'kube-system';

/**
 * Reads the Secret of a bootstrap token. The cache says that there is one, so that guesses cost no read of the store. The
 * store says whether it is still there, so that a deleted token is refused at once.
 */
export function bootstrapSecrets(stores: Stores): (name: string) => Promise<Readonly<KubernetesObject> | undefined> {
  const secrets = stores.reader(SECRETS);
  return async (name) => {
    const known = await secrets.find(NAMESPACE, name, ANY);
    return known === undefined ? undefined : secrets.find(NAMESPACE, name);
  };
}
