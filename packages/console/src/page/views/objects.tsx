import { useMemo, useState } from 'preact/hooks';
import { kindId, type Row } from '../../model/index.js';
import { HealthMark } from '../chrome/health-mark.js';
import { VirtualList } from '../chrome/virtual-list.js';
import { useApp } from '../context.js';
import { age, count } from '../texts.js';

const ROW_HEIGHT = 30;
type Order = 'name' | 'age' | 'state';
const HEALTH_RANK = { bad: 0, busy: 1, good: 2, none: 3, done: 4 } as const;
const ORDERS: Readonly<Record<Order, (a: Row, b: Row) => number>> = {
  name: (a, b) => compare(a.namespace, b.namespace) || compare(a.name, b.name),
  age: (a, b) => b.created - a.created,
  state: (a, b) => HEALTH_RANK[a.health] - HEALTH_RANK[b.health] || compare(a.text, b.text),
};

/** All objects of a kind. */
export function Objects() {
  const app = useApp();
  const [active, setActive] = useState(-1);
  const [order, setOrder] = useState<Order>('name');
  const shown = app.shown;
  const index = app.listKind.value ?? Math.max(0, shown.kindIndex('Pod'));
  const kind = shown.kinds[index];
  const matches = app.matches.value;
  const rows = useMemo(
    () => [...shown.ofKind(index).values()].filter((row) => matches(row)).sort(ORDERS[order]),
    [shown, shown.version, index, matches, order],
  );
  if (kind === undefined) return <div class="empty">Reading the kinds of the server …</div>;
  return (
    <section class="fill" aria-label={kind.kind}>
      <div class="caption">
        <strong>{kindId(kind)}</strong> {count(rows.length, 'object')}
        <span class="orders">
          {(['name', 'state', 'age'] as const).map((each) => (
            <button key={each} type="button" aria-pressed={order === each} class="plain" onClick={() => setOrder(each)}>
              by {each}
            </button>
          ))}
        </span>
      </div>
      <VirtualList
        label={`${kind.kind} objects`}
        count={rows.length}
        rowHeight={ROW_HEIGHT}
        active={active}
        onActive={setActive}
        onOpen={(at) => {
          const row = rows[at];
          if (row !== undefined) app.open(row);
        }}
        idOf={(at) => `object-${rows[at]?.uid ?? at}`}
        render={(at) => {
          const row = rows[at];
          return row === undefined ? undefined : <Line row={row} />;
        }}
      />
    </section>
  );
}

function Line({ row }: { readonly row: Row }) {
  const app = useApp();
  const classes = ['object-line'];
  if (app.isFresh(row.uid)) classes.push('fresh');
  if (app.selected.value?.uid === row.uid) classes.push('chosen');
  return (
    <div class={classes.join(' ')}>
      <HealthMark health={row.health} />
      <span class="space dim">{row.namespace}</span>
      <span class="name" title={row.name}>
        {row.name}
      </span>
      <span class={`state ${row.health}`}>{row.text}</span>
      <span class="end dim">{row.place}</span>
      <span class="by dim">{row.by}</span>
      <span class="age dim">
        {row.created === 0 ? '' : age(row.created, app.past.moment.value?.time ?? app.clock.value)}
      </span>
    </div>
  );
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
