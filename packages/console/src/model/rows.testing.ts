import { type Change, changeOf, Collection, type KindInfo, type Row } from './index.js';

export const kindInfo = (kind: string, group = '', namespaced = true): KindInfo => ({
  group,
  version: 'v1',
  resource: `${kind.toLowerCase()}s`,
  kind,
  namespaced,
  shortNames: kind === 'Deployment' ? ['deploy'] : [],
});

export const KINDS: readonly KindInfo[] = [
  kindInfo('Pod'),
  kindInfo('ReplicaSet', 'apps'),
  kindInfo('Deployment', 'apps'),
  kindInfo('Lease', 'coordination.k8s.io'),
  kindInfo('Node', '', false),
];

/** A row of the kind, which is one of {@link KINDS}. Its uid is its name. */
export function row(kind: string, name: string, more: Partial<Row> = {}): Row {
  return {
    kind: KINDS.findIndex((each) => each.kind === kind),
    uid: name,
    name,
    namespace: 'shop',
    version: '1',
    generation: 1,
    health: 'good',
    text: '',
    owner: '',
    place: '',
    by: '',
    created: 0,
    deleting: false,
    ...more,
  };
}

export function collectionOf(...rows: readonly Row[]): Collection {
  const collection = new Collection();
  collection.apply({ kinds: KINDS, rows });
  return collection;
}

/** The change that added the row at a time. */
export function added(of: Row, time: number): Change {
  const change = changeOf(undefined, of, time);
  if (change === undefined) throw new Error('a new row is a change');
  return change;
}
