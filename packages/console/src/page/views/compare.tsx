import { messageOf } from '@binnacle/apimachinery/errors';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { type Collection, compareCollections, type Difference } from '../../model/index.js';
import { HealthMark } from '../chrome/health-mark.js';
import { VirtualList } from '../chrome/virtual-list.js';
import { useApp } from '../context.js';
import { FieldChanges } from '../object/field-changes.js';
import type { Moment } from '../past-states.js';
import { readObject } from '../object/read-object.js';
import { clockText, count } from '../texts.js';
import { changesBetween } from '@binnacle/apimachinery/differences';
import type { JsonObject } from '@binnacle/apimachinery/json';

const ROW_HEIGHT = 30;
const SIGNS: Readonly<Record<Difference['type'], string>> = { added: '+', changed: '~', gone: '−' };

/** What differs between the marked moment and the one that is shown. */
export function Compare() {
  const app = useApp();
  const mark = app.past.mark.value;
  const { before, error } = useMarked(mark);
  if (mark === undefined) return <Explain />;
  if (error !== '') return <div class="empty">The state at the marked moment cannot be read: {error}</div>;
  if (before === undefined) return <div class="empty">Reading the marked moment …</div>;
  return <Differences before={before} mark={mark} />;
}

function Explain() {
  const app = useApp();
  return (
    <div class="empty">
      <p>
        Compare two moments: go to one and press <kbd>m</kbd>, then go to another.
      </p>
      <button
        type="button"
        class="button"
        onClick={() => (app.past.mark.value = app.past.moment.value ?? { time: app.clock.value })}
      >
        Mark this moment
      </button>
    </div>
  );
}

function useMarked(mark: Moment | undefined): { readonly before: Collection | undefined; readonly error: string } {
  const app = useApp();
  const [state, setState] = useState<{ before: Collection | undefined; error: string }>({
    before: undefined,
    error: '',
  });
  useEffect(() => {
    setState({ before: undefined, error: '' });
    if (mark === undefined) return undefined;
    const abort = new AbortController();
    app.past.load(mark, abort.signal).then(
      (before) => !abort.signal.aborted && setState({ before, error: '' }),
      (error: unknown) => !abort.signal.aborted && setState({ before: undefined, error: messageOf(error) }),
    );
    return () => abort.abort();
  }, [app, mark]);
  return state;
}

function Differences({ before, mark }: { readonly before: Collection; readonly mark: Moment }) {
  const app = useApp();
  const [active, setActive] = useState(-1);
  const shown = app.shown;
  const matches = app.matches.value;
  const { time } = app.past.moment.value ?? {};
  const differences = useMemo(() => {
    const isLater = time === undefined || time >= mark.time;
    return isLater ? compareCollections(before, shown, matches) : compareCollections(shown, before, matches);
  }, [before, shown, shown.version, matches, time, mark]);
  const current = differences[active];
  return (
    <section class="fill" aria-label="Differences">
      <p class="caption">
        <strong>{count(differences.length, 'object')}</strong> differ between {clockText(mark.time)} and{' '}
        {time === undefined ? 'now' : clockText(time)}
      </p>
      <VirtualList
        label="Objects that differ"
        count={differences.length}
        rowHeight={ROW_HEIGHT}
        active={active}
        onActive={setActive}
        onOpen={setActive}
        idOf={(index) => idOf(differences[index], index)}
        render={(index) => {
          const each = differences[index];
          return each === undefined ? undefined : <Line difference={each} />;
        }}
      />
      {current !== undefined && <Detail difference={current} />}
    </section>
  );
}

const idOf = ({ before, after }: Partial<Difference> = {}, index: number): string =>
  `difference-${(after ?? before)?.uid ?? index}`;

function Line({ difference: { type, before, after } }: { readonly difference: Difference }) {
  const app = useApp();
  const row = after ?? before;
  if (row === undefined) return null;
  return (
    <div class={`change-line ${type}`}>
      <span class={`sign ${type}`} role="img" aria-label={type}>
        {SIGNS[type]}
      </span>
      <HealthMark health={row.health} />
      <span class="kind-name">{app.shown.kinds[row.kind]?.kind}</span>
      <span class="name">
        {row.namespace !== '' && <span class="dim">{row.namespace}/</span>}
        {row.name}
      </span>
      <span class="what">
        {before !== undefined && after !== undefined && before.text !== after.text
          ? `${before.text} → ${after.text}`
          : row.text}
      </span>
      <span class="by dim">{row.by}</span>
    </div>
  );
}

/** The fields of one object that differ. */
function Detail({ difference: { before, after } }: { readonly difference: Difference }) {
  const app = useApp();
  const [state, setState] = useState<{ objects?: readonly (JsonObject | undefined)[]; error?: string }>({});
  useEffect(() => {
    const abort = new AbortController();
    setState({});
    const read = async (row: Difference['before']) => {
      const kind = row === undefined ? undefined : app.shown.kinds[row.kind];
      return row === undefined || kind === undefined
        ? undefined
        : readObject(app.connection, kind, row, row.version, abort.signal);
    };
    Promise.all([read(before), read(after)]).then(
      (objects) => !abort.signal.aborted && setState({ objects }),
      (error: unknown) => !abort.signal.aborted && setState({ error: messageOf(error) }),
    );
    return () => abort.abort();
  }, [app, before, after]);
  const row = after ?? before;
  return (
    <div class="detail" aria-live="polite">
      <h2>
        {row?.name}{' '}
        <button type="button" class="plain" onClick={() => row !== undefined && app.open(row)}>
          open
        </button>
      </h2>
      {state.error !== undefined && <p class="state bad">{state.error}</p>}
      {state.objects !== undefined && <FieldChanges changes={changesBetween(state.objects[0], state.objects[1])} />}
    </div>
  );
}
