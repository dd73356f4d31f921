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
  /** Sets with the same nodes in this order are this object, for a while. */
  readonly isShared: boolean;
  #memberNode: FieldNode | undefined;
  #pathNode: FieldNode | undefined;

  constructor(nodes: ReadonlyMap<PathElement, FieldNode>, isShared = false) {
    this.nodes = nodes;
    this.isShared = isShared;
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

  /** The node of an element that has these members below it. It is the same object each time. */
  node(member: boolean): FieldNode {
    if (member) return (this.#memberNode ??= { member, children: this });
    return (this.#pathNode ??= { member, children: this });
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
    return finish(this.unionInSteps(other));
  }

  /** Members of both. */
  intersection(other: FieldSet): FieldSet {
    return finish(this.intersectionInSteps(other));
  }

  /** Members that are not in `other`; members below them stay. Returns the same set if nothing is removed. */
  difference(other: FieldSet): FieldSet {
    return finish(this.differenceInSteps(other));
  }

  /** Members that are neither in `other` nor below a member of it. Returns the same set if nothing is removed. */
  recursiveDifference(other: FieldSet): FieldSet {
    return finish(reduce(this, other, RECURSIVE_DIFFERENCE, new Pace(NODES_PER_STEP)));
  }

  /** {@link union}, for sets that may be large. */
  unionInSteps(other: FieldSet): Steps<FieldSet> {
    return unite(this, other, new Pace(NODES_PER_STEP));
  }

  /** {@link intersection}, for sets that may be large. */
  intersectionInSteps(other: FieldSet): Steps<FieldSet> {
    return reduce(this, other, INTERSECTION, new Pace(NODES_PER_STEP));
  }

  /** {@link difference}, for sets that may be large. */
  differenceInSteps(other: FieldSet): Steps<FieldSet> {
    return reduce(this, other, DIFFERENCE, new Pace(NODES_PER_STEP));
  }
}

function* unite(set: FieldSet, other: FieldSet, pace: Pace): Steps<FieldSet> {
  if (set.isEmpty || set === other) return other;
  if (other.isEmpty) return set;
  const nodes = new Map(set.nodes);
  for (const [element, node] of other.nodes) {
    if (pace.endsStep()) yield;
    const own = nodes.get(element);
    const children = own === undefined ? node.children : yield* unite(own.children, node.children, pace);
    nodes.set(element, own === undefined ? node : { member: own.member || node.member, children });
  }
  return new FieldSet(nodes);
}

/** The members of both nodes, which belong to the same element. */
export function uniteNodes(a: FieldNode, b: FieldNode): FieldNode {
  return { member: a.member || b.member, children: a.children.union(b.children) };
}

/** How another set reduces a set. */
interface Reduction {
  /** Whether nodes stay that the other set lacks. */
  readonly keepsOthers: boolean;
  /** Whether a member of the other set removes everything below it. */
  readonly isRecursive: boolean;
  /** Whether a node that both sets have stays a member. */
  staysMember(isMember: boolean, isOthersMember: boolean): boolean;
}

const INTERSECTION: Reduction = {
  keepsOthers: false,
  isRecursive: false,
  staysMember: (isMember, isOthersMember) => isMember && isOthersMember,
};
const DIFFERENCE: Reduction = {
  keepsOthers: true,
  isRecursive: false,
  staysMember: (isMember, isOthersMember) => isMember && !isOthersMember,
};
const RECURSIVE_DIFFERENCE: Reduction = { keepsOthers: true, isRecursive: true, staysMember: (isMember) => isMember };

/** Returns the same set if no node changes. */
function* reduce(set: FieldSet, other: FieldSet, reduction: Reduction, pace: Pace): Steps<FieldSet> {
  if (set.isEmpty || (other.isEmpty && reduction.keepsOthers)) return set;
  let nodes: Map<PathElement, FieldNode> | undefined;
  for (const [element, node] of set.nodes) {
    if (pace.endsStep()) yield;
    const its = other.nodes.get(element);
    if (its === undefined && reduction.keepsOthers) continue;
    const isRemoved = its === undefined || (reduction.isRecursive && its.member);
    const children = isRemoved ? emptyFieldSet : yield* reduce(node.children, its.children, reduction, pace);
    const member = !isRemoved && reduction.staysMember(node.member, its.member);
    if (member === node.member && children === node.children) continue;
    nodes ??= new Map(set.nodes);
    if (member || !children.isEmpty) nodes.set(element, { member, children });
    else nodes.delete(element);
  }
  if (nodes === undefined) return set;
  return nodes.size === 0 ? emptyFieldSet : new FieldSet(nodes);
}

export const emptyFieldSet: FieldSet = new FieldSet(new Map(), true);

type Level = Map<PathElement, BuilderNode>;

/** A node of a set that is being built. `level` has the nodes of `children`; most nodes have none. */
interface BuilderNode extends FieldNode {
  member: boolean;
  children: FieldSet;
  level: Level | undefined;
}

function nodeAt(level: Level, element: PathElement): BuilderNode {
  let node = level.get(element);
  if (node === undefined) {
    node = { member: false, children: emptyFieldSet, level: undefined };
    level.set(element, node);
  }
  return node;
}

function levelBelow(node: BuilderNode): Level {
  if (node.level === undefined) {
    node.level = new Map();
    node.children = new FieldSet(node.level);
  }
  return node.level;
}

/** The cost, in visits, of recording a field and reading it again. */
export const WORK_OF_FIELD = 80;

/** Collects paths and becomes their set: nothing is added after {@link build}. */
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
    return this.isEmpty ? emptyFieldSet : new FieldSet(this.#root);
  }
}

function addTo(level: Level, set: FieldSet): void {
  for (const [element, { member, children }] of set.nodes) {
    const node = nodeAt(level, element);
    if (member) node.member = true;
    if (!children.isEmpty) addTo(levelBelow(node), children);
  }
}

/** A few milliseconds of work. */
const NODES_PER_STEP = 10_000;
