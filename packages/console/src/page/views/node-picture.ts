import { type Health, type NodeGrid, type Row, tileAt } from '../../model/index.js';

/** A node and its pods, as the picture shows them. */
export interface DrawnNode {
  readonly name: string;
  readonly row: Row | undefined;
  readonly pods: readonly Row[];
}

type Colours = Readonly<Record<Health | 'tile' | 'edge' | 'text' | 'focus', string>>;

/** The colours of the theme. */
export function coloursOf(element: Element): Colours {
  const style = getComputedStyle(element);
  const of = (name: string) => style.getPropertyValue(`--${name}`).trim();
  return {
    good: of('good'),
    busy: of('busy'),
    bad: of('bad'),
    done: of('done'),
    none: of('line'),
    tile: of('raised'),
    edge: of('line'),
    text: of('dim'),
    focus: of('accent'),
  };
}

/** Draws all nodes. `width` and `height` in CSS pixels. */
export function drawNodes(
  canvas: HTMLCanvasElement,
  nodes: readonly DrawnNode[],
  grid: NodeGrid,
  active: number,
  colours: Colours,
): void {
  const context = canvas.getContext('2d');
  if (context === null) return;
  const scale = devicePixelRatio;
  const [width, height] = [canvas.clientWidth, canvas.clientHeight];
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  context.scale(scale, scale);
  context.clearRect(0, 0, width, height);
  for (const [index, node] of nodes.entries()) drawNode(context, node, index, grid, colours);
  if (active < 0) return;
  const { x, y } = tileAt(active, grid);
  context.strokeStyle = colours.focus;
  context.lineWidth = 2;
  context.strokeRect(x - 1, y - 1, grid.tileSize + 2, grid.tileSize + 2);
}

function drawNode(
  context: CanvasRenderingContext2D,
  { name, row, pods }: DrawnNode,
  index: number,
  grid: NodeGrid,
  colours: Colours,
): void {
  const { tileSize, cell, across, named } = grid;
  const { x, y } = tileAt(index, grid);
  const health = row?.health ?? 'bad';
  context.fillStyle = colours.tile;
  context.fillRect(x, y, tileSize, tileSize);
  context.strokeStyle = health === 'good' ? colours.edge : colours[health];
  context.lineWidth = health === 'good' ? 1 : 2;
  context.strokeRect(x + 0.5, y + 0.5, tileSize - 1, tileSize - 1);
  const inset = cell > 5 ? 1.5 : cell > 3 ? 1 : 0;
  for (const [at, pod] of pods.entries()) {
    const [left, top] = [x + 1 + (at % across) * cell, y + 1 + Math.floor(at / across) * cell];
    context.fillStyle = colours[pod.health];
    drawPod(context, pod.health, left + inset / 2, top + inset / 2, cell - inset);
  }
  // Cells of few pixels hide a single pod that needs attention.
  if (cell < 5 && pods[0]?.health === 'bad') {
    context.fillStyle = colours.bad;
    drawPod(context, 'bad', x - 1, y - 1, Math.max(8, tileSize * 0.45));
  }
  if (!named) return;
  context.fillStyle = colours.text;
  context.font = '11px system-ui, sans-serif';
  context.fillText(name, x, y + tileSize + 13, tileSize);
}

/** A pod that needs attention is a triangle, so that colour is not the only sign. */
function drawPod(context: CanvasRenderingContext2D, health: Health, x: number, y: number, size: number): void {
  if (health !== 'bad' || size < 6) {
    context.fillRect(x, y, size, size);
    return;
  }
  context.beginPath();
  context.moveTo(x + size / 2, y);
  context.lineTo(x + size, y + size);
  context.lineTo(x, y + size);
  context.fill();
}
