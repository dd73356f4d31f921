import { useMemo, useState } from 'preact/hooks';
import { kindId, type Row, scoreOf, searchRows } from '../../model/index.js';
import type { App } from '../app.js';
import { useApp } from '../context.js';
import { KEYS } from '../keys.js';
import { Dialog } from './dialog.js';
import { HealthMark } from './health-mark.js';

const MOST_OBJECTS = 30;
const MOST_OTHERS = 6;

/** Something that the search finds, and what choosing it does. */
type Hit =
  | { readonly type: 'object'; readonly id: string; readonly row: Row; readonly act: () => void }
  | { readonly type: 'kind' | 'command'; readonly id: string; readonly text: string; readonly act: () => void };

/** Finds objects, kinds and commands by a few letters. */
export function Search() {
  const app = useApp();
  const [query, setQuery] = useState('');
  const [active, setActive] = useState(0);
  const hits = useMemo(() => hitsOf(app, query), [app, query]);
  const close = () => (app.overlay.value = undefined);
  const choose = (hit: Hit | undefined) => {
    close();
    hit?.act();
  };
  const current = hits[Math.min(active, hits.length - 1)];
  return (
    <Dialog label="Search" class="palette" onClose={close}>
      <input
        type="text"
        role="combobox"
        aria-expanded={hits.length > 0}
        aria-controls="hits"
        aria-label="Search objects, kinds and commands"
        {...(current === undefined ? {} : { 'aria-activedescendant': `hit-${current.id}` })}
        placeholder="deploy web, node-3, kube-system/dns …"
        autocomplete="off"
        spellcheck={false}
        autofocus
        value={query}
        onInput={(event) => {
          setQuery(event.currentTarget.value);
          setActive(0);
        }}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown') setActive(Math.min(hits.length - 1, active + 1));
          else if (event.key === 'ArrowUp') setActive(Math.max(0, active - 1));
          else if (event.key === 'Enter') choose(current);
          else return;
          event.preventDefault();
        }}
      />
      <ul id="hits" role="listbox" aria-label="Found">
        {hits.map((hit, index) => (
          <li
            key={hit.id}
            id={`hit-${hit.id}`}
            role="option"
            aria-selected={index === active}
            class={index === active ? 'active' : ''}
            onClick={() => choose(hit)}
            onMouseMove={() => setActive(index)}
          >
            <HitText hit={hit} />
          </li>
        ))}
      </ul>
      {hits.length === 0 && <p class="dim">{query === '' ? 'Type a few letters.' : 'Nothing fits.'}</p>}
    </Dialog>
  );
}

function HitText({ hit }: { readonly hit: Hit }) {
  const app = useApp();
  if (hit.type !== 'object') {
    return (
      <>
        <span class="kind-name">{hit.type}</span> {hit.text}
      </>
    );
  }
  const { row } = hit;
  return (
    <>
      <HealthMark health={row.health} />
      <span class="kind-name">{app.shown.kinds[row.kind]?.kind}</span>
      <span class="name">{row.name}</span>
      <span class="dim">{row.namespace}</span>
      <span class={`state ${row.health}`}>{row.text}</span>
    </>
  );
}

function hitsOf(app: App, query: string): Hit[] {
  const shown = app.shown;
  const objects = searchRows(shown, query, MOST_OBJECTS).map(
    (row): Hit => ({ type: 'object', id: row.uid, row, act: () => app.open(row) }),
  );
  const kinds = shown.kinds.flatMap((kind, index) =>
    fits(query, `${kind.kind} ${kindId(kind)} ${kind.shortNames.join(' ')}`)
      ? [{ type: 'kind', id: kindId(kind), text: kindId(kind), act: () => showKind(app, index) } as const]
      : [],
  );
  const commands = KEYS.flatMap(({ does, keys, act }) =>
    query === '' || fits(query, does)
      ? [{ type: 'command', id: keys[0] ?? does, text: does, act: () => act(app) } as const]
      : [],
  );
  return [...objects, ...kinds.slice(0, MOST_OTHERS), ...commands.slice(0, query === '' ? KEYS.length : MOST_OTHERS)];
}

const fits = (query: string, text: string): boolean => query !== '' && (scoreOf(query, text) ?? 0) > 500;

function showKind(app: App, index: number): void {
  app.listKind.value = index;
  app.show('objects');
}
