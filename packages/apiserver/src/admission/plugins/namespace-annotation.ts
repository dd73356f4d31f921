import { internalError } from '@binnacle/apimachinery/status';
import type { NamespaceSource } from './namespace-lifecycle.js';

/** The value of an annotation of a namespace; undefined: it has none. Throws 500 for a missing namespace, like upstream. */
export async function namespaceAnnotation(
  source: NamespaceSource,
  namespace: string,
  name: string,
): Promise<string | undefined> {
  const found = await source.namespace(namespace);
  if (found === undefined) throw internalError(`namespace ${namespace} does not exist`);
  const { annotations = {} } = found.metadata;
  return Object.hasOwn(annotations, name) ? annotations[name] : undefined;
}
