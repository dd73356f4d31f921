import type { ObjectMeta, OwnerReference } from '@binnacle/apimachinery/meta';

/**
 * Drops repeated owner references and warns about them. It runs on a request that creates or replaces an object before
 * its plugins, and on every write after they have changed it.
 * Upstream: apiserver `pkg/endpoints/handlers/rest.go` dedupOwnerReferences.
 */
export function dropDuplicateOwners(
  metadata: ObjectMeta,
  warn: (text: string) => void,
  when: 'before admission' | 'after admission',
): void {
  const { ownerReferences = [] } = metadata;
  if (ownerReferences.length < 2) return;
  const kept = new Map<string, OwnerReference>();
  const duplicates: string[] = [];
  for (const reference of ownerReferences) {
    const text = textOf(reference);
    if (kept.has(text)) duplicates.push(reference.uid);
    else kept.set(text, reference);
  }
  if (duplicates.length === 0) return;
  metadata.ownerReferences = [...kept.values()];
  const where = when === 'after admission' ? ' after mutating admission happens' : '';
  warn(
    `.metadata.ownerReferences contains duplicate entries${where}; API server dedups owner references in 1.20+, ` +
      'and may reject such requests as early as 1.24; please fix your requests; ' +
      `duplicate UID(s) observed: ${duplicates.join(', ')}`,
  );
}

/** Equal for equal references. */
function textOf({ apiVersion, kind, name, uid, controller, blockOwnerDeletion }: OwnerReference): string {
  return JSON.stringify([apiVersion, kind, name, uid, controller, blockOwnerDeletion]);
}
