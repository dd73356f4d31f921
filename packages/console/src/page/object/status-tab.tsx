import { useEffect, useState } from 'preact/hooks';
import type { JsonObject } from '@binnacle/apimachinery/json';
import { type KindInfo, numberAt, objectAt, objectsAt, textAt } from '../../model/index.js';
import type { Selected } from '../app.js';
import { useApp } from '../context.js';
import { age } from '../texts.js';
import { readItems } from './read-object.js';

interface StatusTabProps {
  readonly object: JsonObject;
  readonly kind: KindInfo;
  readonly selected: Selected;
}

/** Conditions, owners and dependents, and events about the object. */
export function StatusTab({ object, selected }: StatusTabProps) {
  return (
    <>
      <Conditions object={object} />
      <Family selected={selected} />
      <Events selected={selected} />
    </>
  );
}

function Conditions({ object }: { readonly object: JsonObject }) {
  const app = useApp();
  const conditions = objectsAt(objectAt(object, 'status'), 'conditions');
  return (
    <section>
      <h2>Conditions</h2>
      {conditions.length === 0 && <p class="dim">none</p>}
      <ul class="plain-list">
        {conditions.map((condition) => {
          const time = Date.parse(textAt(condition, 'lastTransitionTime'));
          return (
            <li key={textAt(condition, 'type')} class="condition">
              <span class={`flag ${textAt(condition, 'status')}`}>{textAt(condition, 'status')}</span>
              <strong>{textAt(condition, 'type')}</strong>{' '}
              <span class="dim">{Number.isFinite(time) && age(time, app.clock.value)}</span>
              <p>
                {textAt(condition, 'reason')} <span class="dim">{textAt(condition, 'message')}</span>
              </p>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function Family({ selected }: { readonly selected: Selected }) {
  const app = useApp();
  const shown = app.shown;
  const owner = shown.get(shown.get(selected.uid)?.owner ?? '');
  const children = Array.from(shown.childrenOf(selected.uid), (uid) => shown.get(uid) ?? []).flat();
  if (owner === undefined && children.length === 0) return null;
  return (
    <section>
      <h2>Owner and dependents</h2>
      <ul class="plain-list">
        {[...(owner === undefined ? [] : [owner]), ...children.slice(0, 100)].map((row) => (
          <li key={row.uid}>
            <button type="button" class="plain" onClick={() => app.open(row)}>
              {row === owner ? 'owned by ' : ''}
              <span class="kind-name">{shown.kinds[row.kind]?.kind}</span> {row.name}{' '}
              <span class={`state ${row.health}`}>{row.text}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Events({ selected }: { readonly selected: Selected }) {
  const app = useApp();
  const [events, setEvents] = useState<readonly JsonObject[] | undefined>(undefined);
  const version = app.shown.get(selected.uid)?.version;
  useEffect(() => {
    const abort = new AbortController();
    const space = selected.namespace === '' ? 'default' : selected.namespace;
    const query = new URLSearchParams({ fieldSelector: `involvedObject.uid=${selected.uid}`, limit: '100' });
    readItems(
      app.connection,
      `/api/v1/namespaces/${encodeURIComponent(space)}/events?${query.toString()}`,
      abort.signal,
    ).then(
      (items) => !abort.signal.aborted && setEvents(items),
      () => !abort.signal.aborted && setEvents([]),
    );
    return () => abort.abort();
  }, [app, selected.uid, selected.namespace, version]);
  const sorted = [...(events ?? [])].sort((a, b) => (timeOf(a) < timeOf(b) ? 1 : -1));
  return (
    <section>
      <h2>Events</h2>
      {events?.length === 0 && <p class="dim">none</p>}
      <ul class="plain-list">
        {sorted.map((event) => (
          <li key={textAt(objectAt(event, 'metadata'), 'uid')} class="event">
            <span class={textAt(event, 'type') === 'Warning' ? 'flag False' : 'flag'}>{textAt(event, 'reason')}</span>
            {numberAt(event, 'count') > 1 && <span class="dim"> ×{numberAt(event, 'count')}</span>}{' '}
            <span class="dim">{age(Date.parse(timeOf(event)), app.clock.value)}</span>
            <p>{textAt(event, 'message')}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}

function timeOf(event: JsonObject): string {
  return (
    textAt(event, 'lastTimestamp') ||
    textAt(event, 'eventTime') ||
    textAt(objectAt(event, 'metadata'), 'creationTimestamp')
  );
}
