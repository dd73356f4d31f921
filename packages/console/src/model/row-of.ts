import type { JsonObject } from '@binnacle/apimachinery/json';
import { objectAt, objectsAt, numberAt, textAt } from './reading.js';
import type { Row } from './row.js';
import { stateOf } from './state-of.js';

/** More than the longest kind and name of an object that exists; an Event may be about any other. */
const MOST_PLACE = 400;

/** The row of an object. `kind`: its name and its index among the kinds of the feed. */
export function rowOf(kind: string, index: number, object: JsonObject): Row {
  const metadata = objectAt(object, 'metadata');
  return {
    kind: index,
    uid: textAt(metadata, 'uid'),
    name: textAt(metadata, 'name'),
    namespace: textAt(metadata, 'namespace'),
    version: textAt(metadata, 'resourceVersion'),
    generation: numberAt(metadata, 'generation'),
    ...stateOf(kind, object),
    owner: ownerOf(metadata),
    place: placeOf(kind, object),
    by: lastManagerOf(metadata),
    created: Date.parse(textAt(metadata, 'creationTimestamp')) || 0,
    deleting: metadata['deletionTimestamp'] !== undefined,
  };
}

function ownerOf(metadata: JsonObject): string {
  const owners = objectsAt(metadata, 'ownerReferences');
  const [first] = owners;
  const owner = owners.find(({ controller }) => controller === true) ?? first;
  return owner === undefined ? '' : textAt(owner, 'uid');
}

function placeOf(kind: string, object: JsonObject): string {
  if (kind === 'Pod') return textAt(objectAt(object, 'spec'), 'nodeName');
  if (kind !== 'Event') return '';
  const about = objectAt(object, object['regarding'] === undefined ? 'involvedObject' : 'regarding');
  return `${textAt(about, 'kind')}/${textAt(about, 'name')}`.slice(0, MOST_PLACE);
}

/** The manager of the newest entry. Times have whole seconds: of equal ones the last entry counts. */
function lastManagerOf(metadata: JsonObject): string {
  let [newest, manager] = ['', ''];
  for (const entry of objectsAt(metadata, 'managedFields')) {
    const time = textAt(entry, 'time');
    if (time < newest) continue;
    [newest, manager] = [time, textAt(entry, 'manager')];
  }
  return manager;
}
