import { resourceNamed, sorted } from '../resources.mjs';

/**
 * The model of one object: the effect of a write. `present` is the parsed body before the write, undefined = absent.
 * Returns `{ body }` (text), `{ gone: true }`, or undefined if the write cannot have succeeded.
 */
export function apply(write, present, revision) {
  const { op, want, sent, resource } = write;
  if (present === undefined) {
    const makes =
      op === 'create' || (op === 'update' && resourceNamed(resource).createsOnUpdate && want.uid === undefined);
    return makes ? { made: contentText(sent) } : undefined;
  }
  if (op === 'create') return undefined;
  if (want.revision !== undefined && want.revision !== revision) return undefined;
  if (want.uid !== undefined && want.uid !== present.uid) return undefined;
  if (op === 'update' && want.revision === undefined && !resourceNamed(resource).replacesBlindly) return undefined;
  if (op === 'delete') {
    return present.finalizers.length === 0 ? { gone: true } : { body: text({ ...present, deleting: true }) };
  }
  if (op === 'nothing') return { body: text(present) };
  const next = op === 'update' ? replaced(present, sent) : merged(present, sent);
  // A finalizer cannot be added during deletion; removing the last one completes the deletion.
  if (present.deleting && next.finalizers.some((name) => !present.finalizers.includes(name))) return undefined;
  return present.deleting && next.finalizers.length === 0 ? { gone: true } : { body: text(next) };
}

/** The model's content of a new object, without the fields that only the server sets. */
export function contentOfBody({ labels, finalizers, payload }) {
  return JSON.stringify({ labels, finalizers, payload });
}

const contentText = ({ labels, finalizers, payload }) =>
  contentOfBody({ labels: sorted(labels ?? {}), finalizers: finalizers ?? [], payload: sorted(payload) });

function replaced(present, { labels, finalizers, payload }) {
  return { ...present, labels: sorted(labels ?? {}), finalizers: finalizers ?? [], payload: sorted(payload) };
}

function merged(present, { labels, finalizers, payload }) {
  return {
    ...present,
    labels: mergedMap(present.labels, labels),
    finalizers: finalizers === undefined ? present.finalizers : (finalizers ?? []),
    payload: mergedMap(present.payload, payload),
  };
}

function mergedMap(present, patch) {
  const entries = Object.entries({ ...present, ...patch }).filter(([, value]) => value !== null);
  return sorted(Object.fromEntries(entries));
}

function text({ uid, created, deleting, finalizers, labels, payload }) {
  return JSON.stringify({ uid, created, deleting, finalizers, labels, payload });
}
