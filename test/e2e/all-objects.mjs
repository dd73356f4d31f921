// All objects of a server, for comparisons.
import { DiscoveryClient } from '@binnacle/client/discovery';
import { DynamicClient } from '@binnacle/client';

/** Resolves with a Map of the objects that a server lists, each in the preferred version of its kind, by kind, namespace and name. */
export async function allObjects(transport) {
  const { groups } = await new DiscoveryClient(transport).surface();
  const client = new DynamicClient(transport);
  const found = new Map();
  for (const { versions } of groups) {
    const read = new Set();
    for (const { resource, kind, verbs } of versions.flatMap(({ resources }) => resources)) {
      if (!verbs.includes('list') || read.has(resource.resource)) continue;
      read.add(resource.resource);
      for await (const object of client.resource(resource).items()) {
        const { namespace = '', name } = object.metadata;
        found.set(`${kind.kind}.${kind.group} ${namespace}/${name}`, object);
      }
    }
  }
  return found;
}
