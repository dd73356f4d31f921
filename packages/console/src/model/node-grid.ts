/** The top left corner of a node's tile, in pixels. A tile is a square of cells, one for each pod. */
export interface Tile {
  readonly x: number;
  readonly y: number;
}

export interface NodeGrid {
  /** Pixels of a side of a tile, without the gap. */
  readonly tileSize: number;
  readonly gap: number;
  /** Pixels of a pod's cell, its gap included. */
  readonly cell: number;
  /** Cells in a line of a tile. */
  readonly across: number;
  readonly columns: number;
  /** Pixels of the whole picture. */
  readonly height: number;
  /** Whether there is room for the name of a node. */
  readonly named: boolean;
}

const LARGEST_TILE = 168;
const SMALLEST_TILE = 14;
const NAME_HEIGHT = 18;
const NAMED_TILE = 64;
/** Pixels of the borders at both sides of a tile. */
const BORDERS = 2;

/** The largest tiles with which all nodes fit into the given space; below the smallest size the picture scrolls. */
export function nodeGrid(nodes: number, mostPods: number, width: number, height: number): NodeGrid {
  let tile = SMALLEST_TILE;
  for (let size = LARGEST_TILE; size > SMALLEST_TILE; size -= 1) {
    if (heightOf(nodes, size, width) <= height) {
      tile = size;
      break;
    }
  }
  const across = Math.max(1, Math.ceil(Math.sqrt(Math.max(1, mostPods))));
  return {
    tileSize: tile,
    gap: gapOf(tile),
    cell: (tile - BORDERS) / across,
    across,
    columns: columnsOf(tile, width),
    height: heightOf(nodes, tile, width),
    named: tile >= NAMED_TILE,
  };
}

export function tileAt(index: number, { tileSize, gap, columns, named }: NodeGrid): Tile {
  const [column, row] = [index % columns, Math.floor(index / columns)];
  return { x: column * (tileSize + gap), y: row * (tileSize + gap + (named ? NAME_HEIGHT : 0)) };
}

/** The index of the node at a point; undefined: none. */
export function nodeAt(x: number, y: number, nodes: number, grid: NodeGrid): number | undefined {
  const { tileSize, gap, columns, named } = grid;
  const column = Math.floor(x / (tileSize + gap));
  const line = Math.floor(y / (tileSize + gap + (named ? NAME_HEIGHT : 0)));
  const index = line * columns + column;
  return x < 0 || y < 0 || column >= columns || index >= nodes ? undefined : index;
}

const gapOf = (tile: number): number => (tile >= NAMED_TILE ? 12 : tile >= 28 ? 6 : 3);
const columnsOf = (tile: number, width: number): number =>
  Math.max(1, Math.floor((width + gapOf(tile)) / (tile + gapOf(tile))));
function heightOf(nodes: number, tile: number, width: number): number {
  const lines = Math.ceil(nodes / columnsOf(tile, width));
  return lines * (tile + gapOf(tile) + (tile >= NAMED_TILE ? NAME_HEIGHT : 0));
}
