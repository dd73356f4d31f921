import type { ObjectMeta, OwnerReference } from '@binnacle/client/typed';
import { hasFinalizer, isBeingDeleted } from './deletion.js';
import type { Node } from './node.js';
import type { Standing } from './standing.js';

/** The owner references of an object, by what the server says of the owners. */
export type Owners = Readonly<Record<Exclude<Standing, 'unknown'>, readonly OwnerReference[]>>;

export type Propagation = 'Orphan' | 'Foreground' | 'Background';

/** What becomes of an object. */
export type Verdict =
  | { readonly type: 'keep' }
  /** It loses these references, and stays. */
  | { readonly type: 'detach'; readonly from: readonly OwnerReference[] }
  | { readonly type: 'delete'; readonly propagation: Propagation };

/** `latest` is the object as the server has it, `node` what is known of what it owns. The table is in the README. */
export function judge(latest: ObjectMeta, owners: Owners, node: Node): Verdict {
  const { solid, absent, waiting, orphaning } = owners;
  if (isBeingDeleted(latest)) return detach(orphaning);
  if (solid.length > 0 || orphaning.length > 0) return detach([...absent, ...waiting, ...orphaning]);
  if (absent.length === 0 && waiting.length === 0) return { type: 'keep' };
  // Its owners are to be there until what it owns is gone.
  if (waiting.length > 0 && node.dependents.size > 0) return { type: 'delete', propagation: 'Foreground' };
  return { type: 'delete', propagation: propagationOf(latest) };
}

function detach(from: readonly OwnerReference[]): Verdict {
  return from.length === 0 ? { type: 'keep' } : { type: 'detach', from };
}

/** What it was itself made to do with what it owns. */
function propagationOf(latest: ObjectMeta): Propagation {
  if (hasFinalizer(latest, 'orphans')) return 'Orphan';
  return hasFinalizer(latest, 'dependents') ? 'Foreground' : 'Background';
}
