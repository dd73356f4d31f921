import { useMemo, useState } from 'preact/hooks';
import { type Collection, type Row, treeLines, type TreeLine } from '../../model/index.js';
import { HealthMark } from '../chrome/health-mark.js';
import { VirtualList } from '../chrome/virtual-list.js';
import { useApp } from '../context.js';
import type { App } from '../app.js';
import { age, count, HEALTH_WORD } from '../texts.js';

const ROW_HEIGHT = 34;
/** Up to this many objects, Deployments are open at first. */
const FEW = 3000;

/** The tree of owners, from Deployments to pods. */
export function Workloads() {
  const app = useApp();
  const [active, setActive] = useState(0);
  const shown = app.shown;
  const lines = useLines(app, shown);
  if (lines.length === 0) return <Empty isComplete={shown.complete !== undefined} />;
  return (
    <VirtualList
      label="Workloads and what they own"
      role="tree"
      count={lines.length}
      rowHeight={ROW_HEIGHT}
      active={Math.min(active, lines.length - 1)}
      onActive={setActive}
      onOpen={(index) => {
        const line = lines[index];
        if (line !== undefined) app.open(line.row);
      }}
      onKey={(key, index) => onTreeKey(app, key, lines[index])}
      idOf={(index) => `tree-${lines[index]?.row.uid ?? index}`}
      attributesOf={(index) => treeAttributes(lines[index])}
      render={(index) => {
        const line = lines[index];
        return line === undefined ? undefined : <Line line={line} kind={shown.kinds[line.row.kind]?.kind ?? ''} />;
      }}
    />
  );
}

function useLines(app: App, shown: Collection): TreeLine[] {
  const matches = app.matches.value;
  const [opened, closed] = [app.opened.value, app.closed.value];
  return useMemo(() => {
    const isFew = shown.size < FEW;
    const isOpen = (row: Row) => !closed.has(row.uid) && (opened.has(row.uid) || (isFew && row.health !== 'done'));
    return treeLines(shown, { matches, isOpen });
  }, [shown, shown.version, matches, opened, closed]);
}

function treeAttributes(line: TreeLine | undefined): Readonly<Record<string, string | number | boolean>> {
  if (line === undefined) return {};
  return { 'aria-level': line.level + 1, ...(line.children === 0 ? {} : { 'aria-expanded': line.isOpen }) };
}

function onTreeKey(app: App, key: string, line: TreeLine | undefined): boolean {
  if (line === undefined || line.children === 0) return false;
  if ((key === 'ArrowRight' && !line.isOpen) || (key === 'ArrowLeft' && line.isOpen)) {
    app.toggle(line.row.uid, line.isOpen);
    return true;
  }
  return false;
}

function Line({ line, kind }: { readonly line: TreeLine; readonly kind: string }) {
  const app = useApp();
  const { row, level, children, isOpen } = line;
  const classes = ['tree-line', `level-${Math.min(level, 3)}`];
  if (app.isFresh(row.uid)) classes.push('fresh');
  if (row.health === 'done') classes.push('faded');
  if (app.selected.value?.uid === row.uid) classes.push('chosen');
  return (
    <div class={classes.join(' ')}>
      <span class="who" style={{ paddingLeft: `${level * 22}px` }}>
        {children > 0 ? (
          <span
            class={isOpen ? 'twist open' : 'twist'}
            aria-hidden="true"
            onClick={(event) => {
              event.stopPropagation();
              app.toggle(row.uid, isOpen);
            }}
          >
            ▸
          </span>
        ) : (
          <span class="twist" />
        )}
        <HealthMark health={row.health} />
        <span class="kind-name">{kind}</span>
        <span class="name" title={row.name}>
          {row.name}
        </span>
        {level === 0 && <span class="space">{row.namespace}</span>}
      </span>
      <span class={`state ${row.health}`}>{row.text}</span>
      {kind === 'Pod' ? <span class="end dim">{row.place}</span> : <Pods line={line} />}
      <span class="age dim">
        {row.created === 0 ? '' : age(row.created, app.past.moment.value?.time ?? app.clock.value)}
      </span>
    </div>
  );
}

function Pods({ line: { pods, podCount } }: { readonly line: TreeLine }) {
  if (podCount === 0) return <span />;
  const bad = pods.filter((health) => health === 'bad').length;
  const words = `${count(podCount, 'pod')}${bad === 0 ? '' : `, ${bad} ${bad === 1 ? 'needs' : 'need'} attention`}`;
  return (
    <span class="pods" role="img" aria-label={words} title={words}>
      {pods.map((health, index) => (
        // oxlint-disable-next-line react/no-array-index-key
        <i key={index} class={health} title={HEALTH_WORD[health]} />
      ))}
      {podCount > pods.length && <span class="dim">+{podCount - pods.length}</span>}
    </span>
  );
}

function Empty({ isComplete }: { readonly isComplete: boolean }) {
  return (
    <div class="empty">
      <p>{isComplete ? 'No workloads match.' : 'Reading the objects of the server …'}</p>
      {isComplete && (
        <p class="dim">
          Change the filter, or create one: <code>kubectl create deployment web --image=nginx --replicas=3</code>
        </p>
      )}
    </div>
  );
}
