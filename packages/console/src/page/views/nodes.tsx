import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { type Collection, nodeAt, nodeGrid, type NodeGrid, type Row } from '../../model/index.js';
import { HealthMark } from '../chrome/health-mark.js';
import { useApp } from '../context.js';
import { count } from '../texts.js';
import { coloursOf, type DrawnNode, drawNodes } from './node-picture.js';

/** Cells of a tile, at least, so that a single pod does not fill its node. */
const FEW_PODS = 25;
const HEALTH_RANK = { bad: 0, busy: 1, good: 2, none: 3, done: 4 } as const;

/** Nodes as squares, and their pods as cells in them. */
export function Nodes() {
  const app = useApp();
  const frame = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState({ width: 800, height: 600 });
  const [active, setActive] = useState(-1);
  const shown = app.shown;
  const nodes = useMemo(() => nodesOf(shown), [shown, shown.version]);
  useLayoutEffect(() => {
    const element = frame.current;
    if (element === null) return undefined;
    const measure = () => setSize({ width: element.clientWidth, height: element.clientHeight });
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => observer.disconnect();
  }, []);
  const mostPods = nodes.reduce((most, { pods }) => Math.max(most, pods.length), FEW_PODS);
  const grid = nodeGrid(nodes.length, mostPods, size.width - 16, size.height - 16);
  const current = nodes[active];
  return (
    <section class="fill" aria-label="Nodes">
      <Summary nodes={nodes} />
      <div class="nodes">
        <div class="node-frame" ref={frame}>
          {nodes.length === 0 ? (
            <div class="empty">{shown.complete === undefined ? 'Reading nodes …' : 'The cluster has no nodes.'}</div>
          ) : (
            <Picture nodes={nodes} grid={grid} active={active} onActive={setActive} />
          )}
        </div>
        <aside class="node-side" aria-live="polite">
          {current === undefined ? <Attention nodes={nodes} /> : <NodeCard node={current} />}
        </aside>
      </div>
    </section>
  );
}

function nodesOf(shown: Collection): DrawnNode[] {
  const byNode = new Map<string, Row[]>();
  for (const pod of shown.ofKind(shown.kindIndex('Pod')).values()) {
    if (pod.place === '') continue;
    const pods = byNode.get(pod.place);
    if (pods === undefined) byNode.set(pod.place, [pod]);
    else pods.push(pod);
  }
  const rows = [...shown.ofKind(shown.kindIndex('Node')).values()];
  const names = [...rows.map(({ name }) => name), ...byNode.keys()];
  const rowOf = new Map(rows.map((row) => [row.name, row]));
  return [...new Set(names)].sort(byNumber).map((name) => ({
    name,
    row: rowOf.get(name),
    pods: (byNode.get(name) ?? []).sort(
      (a, b) => HEALTH_RANK[a.health] - HEALTH_RANK[b.health] || (a.uid < b.uid ? -1 : 1),
    ),
  }));
}

const collator = new Intl.Collator('en', { numeric: true });
const byNumber = (a: string, b: string): number => collator.compare(a, b);

interface PictureProps {
  readonly nodes: readonly DrawnNode[];
  readonly grid: NodeGrid;
  readonly active: number;
  readonly onActive: (index: number) => void;
}

function Picture({ nodes, grid, active, onActive }: PictureProps) {
  const app = useApp();
  const canvas = useRef<HTMLCanvasElement>(null);
  const theme = app.theme.value;
  useLayoutEffect(() => {
    if (canvas.current !== null) drawNodes(canvas.current, nodes, grid, active, coloursOf(canvas.current));
  }, [nodes, grid, active, theme]);
  const at = (event: MouseEvent) => nodeAt(event.offsetX, event.offsetY, nodes.length, grid) ?? -1;
  const open = (index: number) => {
    const row = nodes[index]?.row;
    if (row !== undefined) app.open(row);
  };
  return (
    <canvas
      ref={canvas}
      class="picture"
      style={{ height: `${grid.height}px` }}
      tabIndex={0}
      role="application"
      aria-label={`${count(nodes.length, 'node')}. Arrow keys move, Enter opens the node.`}
      onMouseMove={(event) => onActive(at(event))}
      onClick={(event) => open(at(event))}
      onKeyDown={(event) => {
        const moves: Readonly<Record<string, number>> = {
          ArrowRight: 1,
          ArrowLeft: -1,
          ArrowDown: grid.columns,
          ArrowUp: -grid.columns,
        };
        const move = moves[event.key];
        if (move !== undefined) onActive(Math.max(0, Math.min(nodes.length - 1, active + move)));
        else if (event.key === 'Enter') open(active);
        else return;
        event.preventDefault();
        event.stopPropagation();
      }}
    />
  );
}

function Summary({ nodes }: { readonly nodes: readonly DrawnNode[] }) {
  const pods = nodes.flatMap((node) => node.pods);
  const of = (health: Row['health']) => pods.filter((pod) => pod.health === health).length;
  const notReady = nodes.filter(({ row }) => row?.health !== 'good').length;
  return (
    <p class="caption legend">
      <strong>{count(nodes.length, 'node')}</strong>
      {notReady > 0 && <span class="state bad">{notReady} not ready</span>}
      <span>{count(pods.length, 'pod')}:</span>
      {(['good', 'busy', 'bad', 'done'] as const).map((health) => (
        <span key={health} class="entry">
          <HealthMark health={health} /> {of(health)}
        </span>
      ))}
    </p>
  );
}

/** The nodes that a person should look at first. */
function Attention({ nodes }: { readonly nodes: readonly DrawnNode[] }) {
  const app = useApp();
  const badPods = ({ pods }: DrawnNode) => pods.filter(({ health }) => health === 'bad').length;
  const worst = nodes
    .filter((node) => node.row?.health !== 'good' || badPods(node) > 0)
    .sort((a, b) => Number(a.row?.health === 'good') - Number(b.row?.health === 'good') || badPods(b) - badPods(a))
    .slice(0, 20);
  return (
    <>
      <h2>{worst.length === 0 ? 'All nodes are well' : 'Look at these first'}</h2>
      <p class="dim">Each square is a node, each cell in it a pod. Point at one, or use the arrow keys.</p>
      <ul class="plain-list">
        {worst.map((node) => (
          <li key={node.name}>
            <button type="button" class="plain" onClick={() => node.row !== undefined && app.open(node.row)}>
              <HealthMark health={node.row?.health ?? 'bad'} /> {node.name}
              <span class="dim">
                {' '}
                {node.row?.health === 'good' ? count(badPods(node), 'bad pod') : (node.row?.text ?? 'unknown')}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

function NodeCard({ node: { name, row, pods } }: { readonly node: DrawnNode }) {
  return (
    <>
      <h2>
        <HealthMark health={row?.health ?? 'bad'} /> {name}
      </h2>
      <p>
        {row?.text ?? 'unknown to the API server'} · {count(pods.length, 'pod')}
      </p>
      <ul class="plain-list pod-list">
        {pods.slice(0, 40).map((pod) => (
          <li key={pod.uid}>
            <HealthMark health={pod.health} /> {pod.name} <span class={`state ${pod.health}`}>{pod.text}</span>
          </li>
        ))}
        {pods.length > 40 && <li class="dim">and {pods.length - 40} more</li>}
      </ul>
    </>
  );
}
