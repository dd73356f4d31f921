import type { LabelSelector } from '@binnacle/apimachinery/labels';
import type { Lister } from '@binnacle/client/cache';
import { controllerOf, type ReconcileRequest } from '@binnacle/client/controller';
import type { TypedObject } from '@binnacle/client/typed';

/**
 * For `watches` of a controller: an object that no object controls reconciles the owners of its namespace whose selector matches it, since they
 * may adopt it. Objects with a controller give no requests, as `owns` maps those.
 */
export function orphanRequests<O extends TypedObject>(
  owners: () => Lister<O>,
  selectorOf: (owner: O) => LabelSelector,
): (object: TypedObject) => ReconcileRequest[] {
  return (object) => {
    const { labels, namespace } = object.metadata;
    if (controllerOf(object) !== undefined || labels === undefined || namespace === undefined) return [];
    return owners()
      .namespace(namespace)
      .list()
      .filter((owner) => selectorOf(owner).matches(labels))
      .map(({ metadata: { name = '' } }) => ({ namespace, name }));
  };
}
