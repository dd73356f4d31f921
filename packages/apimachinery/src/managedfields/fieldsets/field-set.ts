import { finish, Pace, type Steps, type WorkBudget } from '../../work/index.js';
import type { PathElement } from './path-element.js';

/** The content of a set at one path element: whether the element is a member, and the members below it. */
export interface FieldNode {
  readonly member: boolean;
  readonly children: FieldSet;
}

/**
 * An immutable set of paths, stored as a tree. A path and its parent are members independently. No node is empty: each
 * is a member or has members below. Upstream: structured-merge-diff `fieldpath.Set`.
 */
export class FieldSet {
  readonly nodes: ReadonlyMap<PathElement, FieldNode>;

  constructor(nodes: ReadonlyMap<PathElement, FieldNode>) {
    this.nodes = nodes;
  }

  /** The set of these paths. Ignores the empty path, which means the whole object and has no owner. */
  static of(...paths: readonly (readonly PathElement[])[]): FieldSet {
    const builder = new FieldSetBuilder();
    for (const path of paths) builder.insert(path);
    return builder.build();
  }

  get isEmpty(): boolean {
    return this.nodes.size === 0;
  }

  /** The number of nodes in the tree. */
  get size(): number {
    let size = this.nodes.size;
    for (const { children } of this.nodes.values()) size += children.size;
    return size;
  }

  has(path: readonly PathElement[]): boolean {
    return this.#find(path)?.member ?? false;
  }

  /** Whether the path of one element is a member. */
  hasMember(element: PathElement): boolean {
    return this.nodes.get(element)?.member === true;
  }

  /** The members below a path element, as relative paths. */
  below(element: PathElement): FieldSet {
    return this.nodes.get(element)?.children ?? emptyFieldSet;
  }

  #find(path: readonly PathElement[]): FieldNode | undefined {
    let node: FieldNode | undefined;
    for (const element of path) {
      node = (node === undefined ? this : node.children).nodes.get(element);
      if (node === undefined) return undefined;
    }
    return node;
  }

  /** Every member; parents precede the members below them. */
  *paths(): Generator<PathElement[]> {
    for (const [element, node] of this.nodes) {
      if (node.member) yield [element];
      for (const path of node.children.paths()) yield [element, ...path];
    }
  }

  equals(other: FieldSet): boolean {
    if (this === other) return true;
    if (this.nodes.size !== other.nodes.size) return false;
    for (const [element, node] of this.nodes) {
      const its = other.nodes.get(element);
      if (its === undefined || its.member !== node.member || !node.children.equals(its.children)) return false;
    }
    return true;
  }

  /** Members of either. */
  union(other: FieldSet): FieldSet {
    if (this.isEmpty || this === other) return other;
    if (other.isEmpty) return this;
    const nodes = new Map(this.nodes);
    for (const [element, node] of other.nodes) {
      const own = nodes.get(element);
      nodes.set(
        element,
        own === undefined ? node : { member: own.member || node.member, children: own.children.union(node.children) },
      );
    }
    return new FieldSet(nodes);
  }

  /** Members of both. */
  intersection(other: FieldSet): FieldSet {
    return this.#map((element, node) => {
      const its = other.nodes.get(element);
      if (its === undefined) return undefined;
      return { member: node.member && its.member, children: node.children.intersection(its.children) };
    });
  }

  /** Members that are not in `other`; members below them stay. Returns the same set if nothing is removed. */
  difference(other: FieldSet): FieldSet {
    return this.#map((element, node) => {
      const its = other.nodes.get(element);
      if (its === undefined) return node;
      return { member: node.member && !its.member, children: node.children.difference(its.children) };
    });
  }

  /** Members that are neither in `other` nor below a member of it. Returns the same set if nothing is removed. */
  recursiveDifference(other: FieldSet): FieldSet {
    return this.#map((element, node) => {
      const its = other.nodes.get(element);
      if (its === undefined) return node;
      if (its.member) return undefined;
      return { member: node.member, children: node.children.recursiveDifference(its.children) };
    });
  }

  /** Returns the same set if no node changes. `change` removes a node by returning undefined. */
  #map(change: (element: PathElement, node: FieldNode) => FieldNode | undefined): FieldSet {
    let nodes: Map<PathElement, FieldNode> | undefined;
    for (const [element, node] of this.nodes) {
      const next = change(element, node);
      if (next === node || (next !== undefined && next.member === node.member && next.children === node.children)) {
        continue;
      }
      nodes ??= new Map(this.nodes);
      if (next !== undefined && (next.member || !next.children.isEmpty)) nodes.set(element, next);
      else nodes.delete(element);
    }
    if (nodes === undefined) return this;
    return nodes.size === 0 ? emptyFieldSet : new FieldSet(nodes);
  }
}

export const emptyFieldSet: FieldSet = new FieldSet(new Map());

type Level = Map<PathElement, BuilderNode>;

/** `children` is created on demand: most nodes have none, and an empty map takes much memory. */
interface BuilderNode {
  member: boolean;
  children: Level | undefined;
}

function nodeAt(level: Level, element: PathElement): BuilderNode {
  let node = level.get(element);
  if (node === undefined) {
    node = { member: false, children: undefined };
    level.set(element, node);
  }
  return node;
}

function levelBelow(node: BuilderNode): Level {
  node.children ??= new Map();
  return node.children;
}

/** The cost, in visits, of recording a field and reading it again. */
export const WORK_OF_FIELD = 80;

/** Collects paths and builds their set once. */
export class FieldSetBuilder {
  readonly #root: Level = new Map();
  readonly #budget: WorkBudget | undefined;

  constructor(budget?: WorkBudget) {
    this.#budget = budget;
  }

  get isEmpty(): boolean {
    return this.#root.size === 0;
  }

  /** Reads the path without keeping it. */
  insert(path: readonly PathElement[]): void {
    this.#budget?.spend(WORK_OF_FIELD);
    let node: BuilderNode | undefined;
    for (const element of path) node = nodeAt(node === undefined ? this.#root : levelBelow(node), element);
    if (node !== undefined) node.member = true;
  }

  /** Inserts every member of a set. For many sets this is cheaper than their union. */
  add(set: FieldSet): void {
    addTo(this.#root, set);
  }

  build(): FieldSet {
    return finish(this.buildInSteps());
  }

  buildInSteps(): Steps<FieldSet> {
    return freeze(this.#root, new Pace(NODES_PER_STEP));
  }
}

function addTo(level: Level, set: FieldSet): void {
  for (const [element, { member, children }] of set.nodes) {
    const node = nodeAt(level, element);
    if (member) node.member = true;
    if (!children.isEmpty) addTo(levelBelow(node), children);
  }
}

const leaf: FieldNode = { member: true, children: emptyFieldSet };

/** A few milliseconds of work. */
const NODES_PER_STEP = 10_000;

function* freeze(level: Level, pace: Pace): Steps<FieldSet> {
  if (level.size === 0) return emptyFieldSet;
  const nodes = new Map<PathElement, FieldNode>();
  for (const [element, { member, children }] of level) {
    nodes.set(element, children === undefined ? leaf : { member, children: yield* freeze(children, pace) });
    if (pace.endsStep()) yield;
  }
  return new FieldSet(nodes);
}
