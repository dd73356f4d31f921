import { controllerOf } from '@binnacle/client/controller';
import { StatefulSet } from '@binnacle/client/kinds/apps/v1';
import { Pod } from '@binnacle/client/kinds/core/v1';
import { isOf } from '../history/index.js';
import type { Invariant } from './invariant.js';

/** No two pods of a StatefulSet have the same ordinal, and each has the name of its ordinal. */
export function statefulSetOrdinals(): Invariant {
  return {
    name: 'statefulset-ordinals',
    check: (state, { type, object }) => {
      if (type !== 'create' || !isOf(Pod, object)) return undefined;
      const owner = controllerOf(object);
      if (owner === undefined) return undefined;
      const set = state.byUid(owner.uid);
      if (set === undefined || !isOf(StatefulSet, set)) return undefined;
      const { name = '', labels = {} } = object.metadata;
      const ordinal = ordinalOf(name);
      if (name !== `${set.metadata.name ?? ''}-${ordinal}`)
        return `pod ${name} of StatefulSet ${owner.name} has no ordinal`;
      const index = labels['apps.kubernetes.io/pod-index'];
      if (index !== undefined && index !== ordinal) return `pod ${name} has the index ${index}`;
      const pods = state.controlledBy(Pod, owner.uid);
      const same = pods.filter(({ metadata }) => ordinalOf(metadata.name ?? '') === ordinal);
      return same.length > 1 ? `StatefulSet ${owner.name} has ${same.length} pods of ordinal ${ordinal}` : undefined;
    },
  };
}

function ordinalOf(name: string): string {
  return name.slice(name.lastIndexOf('-') + 1);
}
