import type { ObjectReference } from '@binnacle/client/kinds/core/v1';
import type { Endpoint } from '@binnacle/client/kinds/discovery/v1';

/** Equal for endpoints of which one may replace the other in its slice. Upstream: `hashEndpoint`. */
export function endpointKey({ addresses, hostname = '', targetRef }: Endpoint): string {
  const { namespace = '', name = '' } = targetRef ?? {};
  return [addresses.toSorted().join(','), hostname, namespace, name].join('/');
}

/** Whether endpoints with the same key are equal, hints aside. Upstream: `EndpointsEqualBeyondHash`. */
export function isSameEndpoint(one: Endpoint, other: Endpoint): boolean {
  return (
    one.nodeName === other.nodeName &&
    one.zone === other.zone &&
    one.conditions?.ready === other.conditions?.ready &&
    one.conditions?.serving === other.conditions?.serving &&
    one.conditions?.terminating === other.conditions?.terminating &&
    isSameReference(one.targetRef, other.targetRef)
  );
}

/** Versions of the target do not count: a new one does not change the endpoint. */
function isSameReference(one: ObjectReference | undefined, other: ObjectReference | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  const fields = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'fieldPath'] as const;
  return fields.every((field) => (one[field] ?? '') === (other[field] ?? ''));
}
