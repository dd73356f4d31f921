import { FieldSelectorError, parseFieldSelector } from '@binnacle/apimachinery/fields';
import type { RequestContext } from '../request/index.js';

const NODE_FIELD = 'spec.nodeName';
/** Characters of a field selector. A kubelet's is short, and the handler reads a longer one. */
const LONGEST_SELECTOR = 4096;

type Watched = Pick<RequestContext['info'], 'group' | 'resource' | 'namespace' | 'name'>;

/**
 * Counts the watches that a write may concern. Watches of the pods of one node are left out, because such a watch gets
 * few of the events. Upstream: `WatchTracker`.
 */
export class WatchCounts {
  readonly #counts = new Map<string, number>();

  /** Counts a watch until the result is called. */
  add(context: Pick<RequestContext, 'info' | 'query'>): () => void {
    if (isOfOneNode(context)) return () => undefined;
    const key = keyOf(context.info);
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
    return () => {
      const left = (this.#counts.get(key) ?? 0) - 1;
      if (left > 0) this.#counts.set(key, left);
      else this.#counts.delete(key);
    };
  }

  /** The watches of the object of a write, of its namespace, and of all namespaces. */
  concernedBy({ group, resource, namespace, name }: Watched): number {
    if (this.#counts.size === 0) return 0;
    const all = { group, resource, namespace: '', name: '' };
    const counts = [this.#counts.get(keyOf(all))];
    if (namespace !== '') counts.push(this.#counts.get(keyOf({ ...all, namespace })));
    if (name !== '') counts.push(this.#counts.get(keyOf({ ...all, namespace, name })));
    return counts.reduce<number>((sum, count) => sum + (count ?? 0), 0);
  }
}

function isOfOneNode({ info, query }: Pick<RequestContext, 'info' | 'query'>): boolean {
  const selector = query.get('fieldSelector') ?? '';
  if (info.resource !== 'pods' || selector.length > LONGEST_SELECTOR || !selector.includes(NODE_FIELD)) return false;
  try {
    return (parseFieldSelector(selector).requiredValue(NODE_FIELD) ?? '') !== '';
  } catch (error) {
    // The watch itself will be refused.
    if (error instanceof FieldSelectorError) return false;
    throw error;
  }
}

function keyOf({ group, resource, namespace, name }: Watched): string {
  return `${group}/${resource}/${namespace}/${name}`;
}
