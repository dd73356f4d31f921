import { useMemo, useRef, useState } from 'preact/hooks';
import { type Change, MOST_CHANGES } from '../../model/index.js';
import { HealthMark } from '../chrome/health-mark.js';
import { VirtualList } from '../chrome/virtual-list.js';
import { useApp } from '../context.js';
import { age, clockText, count, shownName } from '../texts.js';

const ROW_HEIGHT = 30;
const SIGNS: Readonly<Record<Change['type'], string>> = { added: '+', changed: '~', gone: '−' };

/** What happens, newest first. The list stands still while a person has scrolled into it. */
export function Changes() {
  const app = useApp();
  const [active, setActive] = useState(-1);
  const [isAtTop, setTop] = useState(true);
  const kept = useRef<readonly Change[]>([]);
  const all = useShown();
  if (isAtTop) kept.current = all;
  const changes = kept.current;
  const more = isAtTop ? 0 : app.log.total;
  return (
    <section class="fill" aria-label="Changes">
      <Caption shown={changes.length} />
      {!isAtTop && more > 0 && (
        <p class="note" role="status">
          Paused while you look. Scroll to the top to follow again.
        </p>
      )}
      <VirtualList
        label="Changes, newest first"
        count={changes.length}
        rowHeight={ROW_HEIGHT}
        active={active}
        onActive={setActive}
        onTop={setTop}
        onOpen={(index) => {
          const change = changes[index];
          if (change !== undefined) app.open(change, 'history');
        }}
        idOf={(index) => idOf(changes[index], index)}
        render={(index) => {
          const change = changes[index];
          return change === undefined ? undefined : <Line change={change} />;
        }}
      />
    </section>
  );
}

const idOf = (change: Change | undefined, index: number): string =>
  change === undefined ? `change-${index}` : `change-${change.uid}-${change.version}-${change.type}`;

/** In the past: the changes until then. */
function useShown(): readonly Change[] {
  const app = useApp();
  const tick = app.tick.value;
  const matches = app.matches.value;
  const until = app.past.moment.value?.time ?? Number.POSITIVE_INFINITY;
  return useMemo(
    () => app.log.changes.filter((change) => change.time <= until && matches(change)).reverse(),
    [app, tick, matches, until],
  );
}

function Caption({ shown }: { readonly shown: number }) {
  const { log } = useApp();
  return (
    <p class="caption">
      {count(shown, 'change')} shown
      {log.dropped > 0 &&
        ` · the page keeps the newest ${MOST_CHANGES.toLocaleString('en')}; ${count(log.dropped, 'older one')} dropped`}
    </p>
  );
}

function Line({ change }: { readonly change: Change }) {
  const app = useApp();
  const kind = app.shown.kinds[change.kind]?.kind ?? '';
  const isNew = app.clock.value - change.time < 1500;
  return (
    <div class={`change-line ${change.type}${isNew ? ' fresh' : ''}`}>
      <time class="dim" title={new Date(change.time).toISOString()}>
        {clockText(change.time)}
      </time>
      <span class={`sign ${change.type}`} role="img" aria-label={change.type}>
        {SIGNS[change.type]}
      </span>
      <HealthMark health={change.health} />
      <span class="kind-name">{kind}</span>
      <span class="name">
        {change.namespace !== '' && <span class="dim">{change.namespace}/</span>}
        {shownName(kind, change.name)}
      </span>
      <span class="what">{change.text || (change.type === 'changed' ? 'updated' : change.type)}</span>
      <span class="by dim" title={change.by}>
        {change.by}
      </span>
      <span class="age dim">{age(change.time, app.clock.value)}</span>
    </div>
  );
}
