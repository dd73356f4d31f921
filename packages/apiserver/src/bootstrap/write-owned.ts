import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import { notFound, StatusError } from '@binnacle/apimachinery/status';
import type { ResourceEndpoint, View } from '../endpoints/index.js';
import { serverScope } from './bootstrap.js';

/** The object, and the part of it, that a write of the server itself changes. */
export interface OwnTarget {
  /** `''`: none. */
  readonly namespace: string;
  readonly name: string;
  /** `status`; `''`: the object itself. */
  readonly subresource: string;
}

type Revise = (current: KubernetesObject, view: View) => Promise<KubernetesObject>;

/**
 * Writes an object as the server itself. `revise` gets the current object, again after each conflict; the same object in
 * return means that nothing is written. Does nothing when the object is gone, or when `revise` rejects with a 404.
 */
export async function writeOwned(
  endpoint: ResourceEndpoint,
  { namespace, name, subresource }: OwnTarget,
  revise: Revise,
): Promise<void> {
  const view = subresource === '' ? endpoint.main : endpoint.subresources.get(subresource)?.view;
  if (view === undefined) throw new Error(`${endpoint.resource.resource} have no ${subresource}`);
  try {
    await endpoint.store.update(serverScope(namespace), {
      name,
      ...(view.strategy === undefined ? {} : { strategy: view.strategy }),
      transform: async (current) => {
        if (current === undefined) throw notFound(endpoint.resource, name);
        return revise(current, view);
      },
    });
  } catch (error) {
    if (!(error instanceof StatusError) || error.code !== 404) throw error;
  }
}
