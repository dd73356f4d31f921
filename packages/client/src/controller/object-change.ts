import type { InformerHandler } from '../cache/index.js';
import type { TypedObject } from '../typed/index.js';

/** What an informer has noticed. Objects are shared: to be read, not changed. */
export type ObjectChange<T> =
  /** `isInInitialList`: it was there before anybody watched. */
  | { readonly type: 'create'; readonly object: T; readonly isInInitialList: boolean }
  | { readonly type: 'update'; readonly before: T; readonly object: T }
  /** `finalStateUnknown`: it went away unseen, and may have changed since this state of it. */
  | { readonly type: 'delete'; readonly object: T; readonly finalStateUnknown: boolean }
  /** Nothing has changed: the informer tells of everything again. */
  | { readonly type: 'resync'; readonly object: T };

export function changeHandler<T extends TypedObject>(tell: (change: ObjectChange<T>) => void): InformerHandler<T> {
  return {
    onAdd: (object, isInInitialList) => tell({ type: 'create', object, isInInitialList }),
    onUpdate: (before, object) =>
      tell(before === object ? { type: 'resync', object } : { type: 'update', before, object }),
    onDelete: (object, finalStateUnknown) => tell({ type: 'delete', object, finalStateUnknown }),
  };
}
