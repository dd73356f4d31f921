import { kindId, type KindInfo, type Row } from '../../model/index.js';
import { HealthMark } from '../chrome/health-mark.js';
import type { Selected, Tab } from '../app.js';
import { useApp } from '../context.js';
import { EditTab } from './edit-tab.js';
import { FieldsTab } from './fields-tab.js';
import { HistoryTab } from './history-tab.js';
import { LogTab } from './log-tab.js';
import { StatusTab } from './status-tab.js';
import { useObject } from './use-object.js';

const TABS: readonly { readonly name: Tab; readonly title: string; readonly key: string }[] = [
  { name: 'fields', title: 'Fields', key: 'y' },
  { name: 'status', title: 'Status', key: 's' },
  { name: 'history', title: 'History', key: 'h' },
  { name: 'edit', title: 'Edit', key: 'e' },
];
const LOG_TAB = { name: 'log', title: 'Log', key: 'g' } as const;

/** The object that is open. */
export function ObjectPanel() {
  const app = useApp();
  const selected = app.selected.value;
  const kind = selected === undefined ? undefined : app.shown.kinds[selected.kind];
  if (selected === undefined || kind === undefined) return null;
  return <Panel key={selected.uid} selected={selected} kind={kind} />;
}

function Panel({ selected, kind }: { readonly selected: Selected; readonly kind: KindInfo }) {
  const app = useApp();
  const { object, error } = useObject(app, selected);
  const row = app.shown.get(selected.uid);
  const hasLog = kind.group === '' && kind.kind === 'Pod';
  const tab = app.tab.value === 'log' && !hasLog ? 'fields' : app.tab.value;
  return (
    <aside class="panel" aria-label={`${kind.kind} ${selected.name}`}>
      <Head selected={selected} kind={kind} row={row} error={error} />
      <div class="tabs" role="tablist" aria-label="What to show of the object">
        {[...TABS, ...(hasLog ? [LOG_TAB] : [])].map(({ name, title, key }) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`tab-${name}`}
            aria-selected={tab === name}
            aria-controls="tab-content"
            onClick={() => (app.tab.value = name)}
          >
            {title} <kbd>{key}</kbd>
          </button>
        ))}
      </div>
      <div class="tab-content" id="tab-content" role="tabpanel" aria-labelledby={`tab-${tab}`} tabIndex={0}>
        {tab === 'history' ? (
          <HistoryTab selected={selected} kind={kind} version={row?.version ?? ''} object={object} />
        ) : tab === 'edit' ? (
          <EditTab selected={selected} kind={kind} />
        ) : object === undefined ? (
          <p class="dim">{error || 'Reading the object …'}</p>
        ) : tab === 'log' ? (
          <LogTab selected={selected} kind={kind} object={object} />
        ) : tab === 'status' ? (
          <StatusTab object={object} kind={kind} selected={selected} />
        ) : (
          <FieldsTab object={object} kind={kind} />
        )}
      </div>
    </aside>
  );
}

interface HeadProps {
  readonly selected: Selected;
  readonly kind: KindInfo;
  readonly row: Row | undefined;
  readonly error: string;
}

function Head({ selected, kind, row, error }: HeadProps) {
  const app = useApp();
  return (
    <header class="panel-head">
      <div>
        <p class="dim">
          {kindId(kind)}
          {selected.namespace !== '' && ` in ${selected.namespace}`}
        </p>
        <h1>{selected.name}</h1>
        <p>
          {row === undefined ? (
            <span class="state bad">{error || 'absent'}</span>
          ) : (
            <>
              <HealthMark health={row.health} /> <span class={`state ${row.health}`}>{row.text}</span>
            </>
          )}
        </p>
      </div>
      <button type="button" class="plain" onClick={() => app.close()}>
        Close <kbd>Esc</kbd>
      </button>
    </header>
  );
}
