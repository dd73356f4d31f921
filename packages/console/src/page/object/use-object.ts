import { messageOf } from '@binnacle/apimachinery/errors';
import { useEffect, useState } from 'preact/hooks';
import type { JsonObject } from '@binnacle/apimachinery/json';
import type { App, Selected } from '../app.js';
import { later } from '../browser.js';
import { RefusedError } from '../connection.js';
import { readObject } from './read-object.js';

/** How long a quickly changing object waits before it is read again. */
const SETTLE_MS = 400;

export interface ObjectState {
  readonly object: JsonObject | undefined;
  /** Why there is none; empty: it is being read. */
  readonly error: string;
}

/** The object that is open, now or at the chosen moment. Read again when it changes. */
export function useObject(app: App, selected: Selected): ObjectState {
  const [state, setState] = useState<ObjectState>({ object: undefined, error: '' });
  const { past } = app;
  const shown = app.shown;
  const row = shown.get(selected.uid);
  const isPast = past.shown.value !== undefined;
  const kind = shown.kinds[selected.kind];
  const version = isPast ? shown.complete : undefined;
  const seen = isPast ? version : row?.version;
  useEffect(() => setState({ object: undefined, error: '' }), [selected.uid]);
  useEffect(() => {
    if (kind === undefined) return undefined;
    const abort = new AbortController();
    const read = async () => {
      try {
        const object = await readObject(app.connection, kind, selected, version, abort.signal);
        if (abort.signal.aborted) return;
        setState({ object, error: object === undefined ? 'There was no such object then.' : '' });
      } catch (error) {
        if (abort.signal.aborted) return;
        const isGone = error instanceof RefusedError && error.status === 404;
        const message = messageOf(error);
        setState(({ object }) => ({
          object: isGone ? undefined : object,
          error: isGone ? 'The object is gone.' : message,
        }));
      }
    };
    const cancel = later(state.object === undefined ? 0 : SETTLE_MS, () => void read());
    return () => {
      cancel();
      abort.abort();
    };
  }, [app, kind, selected.uid, version, seen]);
  return state;
}
