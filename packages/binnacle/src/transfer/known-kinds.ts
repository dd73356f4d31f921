import type { ResourceFacts } from '@binnacle/api/table';
import type { StoredForms } from '@binnacle/apiserver/storedforms';
import type { GroupResource } from '@binnacle/apimachinery/meta';
import { fieldsOf, isPathSegment, type Item, kindText } from './item.js';
import { DEFINITION } from './plan.js';

/** What is known of a kind without a server. */
export interface KnownKind {
  readonly resource: GroupResource;
  readonly namespaced: boolean;
  /** Undefined: a custom resource. */
  readonly builtIn: ResourceFacts | undefined;
}

/** Finds the kinds of items: the built-in ones, and those of the definitions among the items. Undefined: neither. */
export function kindsAmong(items: readonly Item[], forms: StoredForms): (item: Item) => KnownKind | undefined {
  const custom = new Map<string, KnownKind>();
  for (const item of items) {
    if (kindText(item) !== DEFINITION) continue;
    const { group, names, scope } = fieldsOf(item.object['spec']);
    const { plural, kind } = fieldsOf(names);
    if (typeof group !== 'string' || typeof plural !== 'string' || typeof kind !== 'string') continue;
    if (group === '' || plural === '' || ![group, plural].every(isPathSegment)) continue;
    const resource = { group, resource: plural };
    custom.set(kindText({ group, kind }), { resource, namespaced: scope !== 'Cluster', builtIn: undefined });
  }
  const builtIns = new Map<string, KnownKind | undefined>();
  return (item) => {
    const name = kindText(item);
    if (!builtIns.has(name)) {
      const builtIn = forms.builtIn(item);
      builtIns.set(name, builtIn && { resource: builtIn, namespaced: builtIn.namespaced, builtIn });
    }
    return builtIns.get(name) ?? custom.get(name);
  };
}
