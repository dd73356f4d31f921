import { useApp } from '../context.js';
import { VIEWS } from '../keys.js';
import { isNoise, kindId } from '../../model/index.js';

/** The views, the namespace, and the kinds with their objects. */
export function SideBar() {
  const app = useApp();
  return (
    <nav class="side" aria-label="Views and kinds">
      <ul class="views">
        {VIEWS.map(({ name, title, hint }, index) => (
          <li key={name}>
            <button
              type="button"
              class={app.view.value === name ? 'view current' : 'view'}
              aria-current={app.view.value === name ? 'page' : undefined}
              title={hint}
              onClick={() => app.show(name)}
            >
              <span>{title}</span>
              <kbd>{index + 1}</kbd>
            </button>
          </li>
        ))}
      </ul>
      <Filters />
      <Kinds />
    </nav>
  );
}

function Filters() {
  const app = useApp();
  const shown = app.shown;
  const namespaces = Array.from(shown.ofKind(shown.kindIndex('Namespace')).values(), ({ name }) => name).sort();
  const { namespace, text, noise } = app.filter.value;
  return (
    <div class="filters">
      <label for="namespace">
        Namespace <kbd>n</kbd>
      </label>
      <select
        id="namespace"
        value={namespace}
        onChange={(event) => app.setFilter({ namespace: event.currentTarget.value })}
      >
        <option value="">all</option>
        {namespaces.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
      <label for="filter">
        Filter <kbd>f</kbd>
      </label>
      <input
        id="filter"
        type="search"
        placeholder="words of name, kind, state"
        autocomplete="off"
        spellcheck={false}
        value={text}
        onInput={(event) => app.setFilter({ text: event.currentTarget.value })}
      />
      <label class="check">
        <input type="checkbox" checked={noise} onChange={() => app.setFilter({ noise: !noise })} />
        leases, events, endpoints <kbd>v</kbd>
      </label>
    </div>
  );
}

function Kinds() {
  const app = useApp();
  const shown = app.shown;
  const kinds = shown.kinds
    .map((kind, index) => ({ kind, index, count: shown.ofKind(index).size, fault: shown.faults.get(index) }))
    .filter(
      ({ kind, count, fault }) => (count > 0 || fault !== undefined) && (app.filter.value.noise || !isNoise(kind)),
    )
    .sort((a, b) => (a.kind.kind < b.kind.kind ? -1 : 1));
  return (
    <div class="kinds">
      <h2>Kinds</h2>
      <ul>
        {kinds.map(({ kind, index, count, fault }) => (
          <li key={kindId(kind)}>
            <button
              type="button"
              class={app.view.value === 'objects' && app.listKind.value === index ? 'kind current' : 'kind'}
              title={fault ?? kindId(kind)}
              onClick={() => {
                app.listKind.value = index;
                app.show('objects');
              }}
            >
              <span>{kind.kind}</span>
              <span class="dim">{fault === undefined ? count : 'no access'}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
