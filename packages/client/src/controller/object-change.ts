import type { InformerHandler } from '../cache/index.js';
import type { TypedObject } from '../typed/index.js';

/** An event of an informer. Objects are shared and must not be changed. */
export type ObjectChange<T> =
  /** `isInInitialList`: the object existed before the watch began. */
  | { readonly type: 'create'; readonly object: T; readonly isInInitialList: boolean }
  | { readonly type: 'update'; readonly before: T; readonly object: T }
  /** `finalStateUnknown`: the DELETED event was missed, so `object` may be stale. Upstream: `DeletedFinalStateUnknown`. */
  | { readonly type: 'delete'; readonly object: T; readonly finalStateUnknown: boolean }
  /** The informer repeats an unchanged object. */
  | { readonly type: 'resync'; readonly object: T };

export function changeHandler<T extends TypedObject>(onChange: (change: ObjectChange<T>) => void): InformerHandler<T> {
  return {
    onAdd: (object, isInInitialList) => onChange({ type: 'create', object, isInInitialList }),
    onUpdate: (before, object) =>
      onChange(before === object ? { type: 'resync', object } : { type: 'update', before, object }),
    onDelete: (object, finalStateUnknown) => onChange({ type: 'delete', object, finalStateUnknown }),
  };
}
