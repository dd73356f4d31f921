import type { Collection } from './collection.js';
import type { Health, Row } from './row.js';

/** A line of the tree of owners. */
export interface TreeLine {
  readonly row: Row;
  /** 0 for roots. */
  readonly level: number;
  readonly children: number;
  readonly isOpen: boolean;
  /** The health of all pods below, in the order of their names, at most {@link MOST_PODS}. */
  readonly pods: readonly Health[];
  readonly podCount: number;
}

/** Squares of one line. */
export const MOST_PODS = 60;
/** Owners of owners; the server refuses circles only for some kinds. */
const DEEPEST = 12;

const WORKLOADS: readonly string[] = [
  'Deployment',
  'StatefulSet',
  'DaemonSet',
  'CronJob',
  'Job',
  'ReplicaSet',
  'Pod',
  'ReplicationController',
];

export interface TreeOptions {
  readonly matches: (row: Row) => boolean;
  /** Whether the children of an object are shown. */
  readonly isOpen: (row: Row) => boolean;
}

/**
 * The lines of all workloads and of what owns them, such as the custom resource of an operator: sorted by namespace, kind
 * and name. A root is an object whose owner is not here. It is shown if it matches, or an object below does.
 */
export function treeLines(collection: Collection, { matches, isOpen }: TreeOptions): TreeLine[] {
  const lines: TreeLine[] = [];
  const walk = new TreeWalk(collection);
  for (const root of walk.roots().filter((row) => walk.some(row, matches))) add(root, 0);
  return lines;

  function add(row: Row, level: number): void {
    const children = walk.childrenOf(row);
    const open = children.length > 0 && isOpen(row);
    const pods = walk.podsOf(row);
    lines.push({
      row,
      level,
      children: children.length,
      isOpen: open,
      pods: pods.slice(0, MOST_PODS).map(({ health }) => health),
      podCount: pods.length,
    });
    if (open && level < DEEPEST) for (const child of children) add(child, level + 1);
  }
}

class TreeWalk {
  readonly #collection: Collection;
  readonly #podKind: number;

  constructor(collection: Collection) {
    this.#collection = collection;
    this.#podKind = collection.kindIndex('Pod');
  }

  roots(): Row[] {
    const { kinds } = this.#collection;
    const rank = (row: Row) => WORKLOADS.indexOf(kinds[row.kind]?.kind ?? '');
    const roots = new Set<Row>();
    for (const [index, { kind }] of kinds.entries()) {
      if (!WORKLOADS.includes(kind)) continue;
      for (const row of this.#collection.ofKind(index).values()) {
        const owner = this.#collection.get(row.owner);
        // A workload that owns another leads to the same root.
        const root = owner === undefined ? row : rank(owner) < 0 ? this.#rootOf(owner) : undefined;
        if (root !== undefined) roots.add(root);
      }
    }
    return [...roots].sort(
      (a, b) =>
        compare(a.namespace, b.namespace) || rank(a) - rank(b) || compare(a.name, b.name) || compare(a.uid, b.uid),
    );
  }

  /** Undefined: too deep, or a circle. */
  #rootOf(row: Row): Row | undefined {
    let root = row;
    for (let depth = 0; depth < DEEPEST; depth += 1) {
      const owner = this.#collection.get(root.owner);
      if (owner === undefined) return root;
      root = owner;
    }
    return undefined;
  }

  /** Those with pods first, so that old ReplicaSets come last; then the newest. */
  childrenOf({ uid }: Row): Row[] {
    const children = Array.from(this.#collection.childrenOf(uid), (child) => this.#collection.get(child) ?? []).flat();
    const rank = ({ health }: Row) => (health === 'done' ? 1 : 0);
    return children.sort((a, b) => rank(a) - rank(b) || b.created - a.created || compare(a.name, b.name));
  }

  podsOf(row: Row, depth = 0): Row[] {
    if (row.kind === this.#podKind) return [row];
    if (depth > DEEPEST) return [];
    return this.childrenOf(row).flatMap((child) => this.podsOf(child, depth + 1));
  }

  some(row: Row, matches: (row: Row) => boolean, depth = 0): boolean {
    if (matches(row)) return true;
    if (depth > DEEPEST) return false;
    return Array.from(this.#collection.childrenOf(row.uid)).some((uid) => {
      const child = this.#collection.get(uid);
      return child !== undefined && this.some(child, matches, depth + 1);
    });
  }
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
