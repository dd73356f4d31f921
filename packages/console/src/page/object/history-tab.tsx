import { messageOf } from '@binnacle/apimachinery/errors';
import { useEffect, useState } from 'preact/hooks';
import { changesBetween } from '@binnacle/apimachinery/differences';
import { isObject, type JsonObject } from '@binnacle/apimachinery/json';
import { type KindInfo, objectAt, objectPath, ownedFields, textAt } from '../../model/index.js';
import type { Selected } from '../app.js';
import { useApp } from '../context.js';
import { age, clockText } from '../texts.js';
import { FieldChanges } from './field-changes.js';
import { readItems } from './read-object.js';

const EVENTS = '30';
const FORGOTTEN = 'What it changed is forgotten: the server keeps values of this kind for a shorter time.';

interface HistoryTabProps {
  readonly selected: Selected;
  readonly kind: KindInfo;
  /** Changes when the object does. */
  readonly version: string;
  readonly object: JsonObject | undefined;
}

/** Who changed what, newest first. */
export function HistoryTab({ selected, kind, version, object }: HistoryTabProps) {
  const app = useApp();
  const [events, setEvents] = useState<readonly JsonObject[] | undefined>(undefined);
  const [error, setError] = useState('');
  const { history } = app.session;
  useEffect(() => {
    if (!history) return undefined;
    const abort = new AbortController();
    const path = `/binnacle/v1/history${objectPath(kind, selected.namespace, selected.name)}?limit=${EVENTS}`;
    readItems(app.connection, path, abort.signal).then(
      (items) => !abort.signal.aborted && setEvents(items),
      (reason: unknown) => !abort.signal.aborted && setError(messageOf(reason)),
    );
    return () => abort.abort();
  }, [app, history, kind, selected, version]);
  if (!history) return <Managers object={object} />;
  if (error !== '') return <p class="state bad">{error}</p>;
  if (events === undefined) return <p class="dim">Reading the history …</p>;
  if (events.length === 0) return <p class="dim">The retained history has no write of this object.</p>;
  return (
    <ol class="events">
      {events.map((event) => (
        <Event key={textAt(event, 'resourceVersion')} event={event} />
      ))}
    </ol>
  );
}

function Event({ event }: { readonly event: JsonObject }) {
  const app = useApp();
  const writer = objectAt(event, 'writer');
  const version = textAt(event, 'resourceVersion');
  const time = Date.parse(textAt(event, 'time'));
  const { object, previous } = event;
  const verb = [textAt(writer, 'verb') || textAt(event, 'type').toLowerCase(), textAt(writer, 'subresource')].join(' ');
  return (
    <li>
      <p class="event-head">
        <strong>{textAt(writer, 'user') || 'unknown'}</strong> {verb}
        {textAt(writer, 'manager') !== '' && <span class="dim"> with {textAt(writer, 'manager')}</span>}
      </p>
      <p class="dim">
        {Number.isFinite(time) && `${clockText(time)}, ${age(time, app.clock.value)} ago · `}revision {version}{' '}
        {Number.isFinite(time) && (
          <button type="button" class="plain" onClick={() => app.goTo({ time, version })}>
            go to this moment
          </button>
        )}
      </p>
      {event['forgotten'] !== undefined ? (
        <p class="dim">{FORGOTTEN}</p>
      ) : !isObject(previous) ? (
        <p>created</p>
      ) : !isObject(object) || textAt(event, 'type') === 'DELETED' ? (
        <p>deleted</p>
      ) : (
        <FieldChanges changes={changesBetween(previous, object)} />
      )}
    </li>
  );
}

/** Without a history the managed fields tell who wrote last. */
function Managers({ object }: { readonly object: JsonObject | undefined }) {
  const app = useApp();
  const owners = object === undefined ? [] : [...ownedFields(object).owners].sort((a, b) => (a.time < b.time ? 1 : -1));
  return (
    <>
      <p class="dim">This server keeps no history that can be read. These managers wrote the object:</p>
      <ol class="events">
        {owners.map(({ manager, operation, subresource, time }) => (
          <li key={`${manager} ${operation} ${subresource}`}>
            <strong>{manager}</strong> {operation.toLowerCase()} {subresource}
            <span class="dim"> {time !== '' && `${age(Date.parse(time), app.clock.value)} ago`}</span>
          </li>
        ))}
      </ol>
    </>
  );
}
