import { emptyFieldSet, type FieldNode, FieldSet, uniteNodes } from './field-set.js';
import type { PathElement } from './path-element.js';

/** Larger levels are those of maps with many keys, and few objects share them. */
const MOST_NODES = 100;
/** A longer element would keep much memory. */
const LONGEST_ELEMENT = 512;
/** The most levels, and nodes of their sets, together. They take some ten megabytes. */
const MOST_PARTS = 100_000;

/**
 * One level of a set that is being read, up to one of its nodes. A level and a node lead to the same next level each time,
 * so equal sets that are read in the same order are the same set, and reading one again builds nothing. Objects of one
 * origin have such sets, for example the pods of a ReplicaSet.
 *
 * When there are {@link MOST_PARTS} parts, all are forgotten. The sets in use are kept by their users.
 */
class SharedLevel {
  readonly #before: SharedLevel | undefined;
  readonly #element: PathElement;
  readonly #node: FieldNode;
  readonly #length: number;
  /** The next level that was asked for last. Mostly it is the only one. */
  #next: SharedLevel | undefined;
  /** All next levels, if there are several. */
  #others: Map<PathElement, Map<FieldNode, SharedLevel>> | undefined;
  #set: FieldSet | undefined;

  constructor(before: SharedLevel | undefined, element: PathElement, node: FieldNode) {
    this.#before = before;
    this.#element = element;
    this.#node = node;
    this.#length = before === undefined ? 0 : before.#length + 1;
  }

  and(element: PathElement, node: FieldNode): SetLevel {
    const next = this.#next;
    if (next !== undefined && next.#node === node && next.#element === element) return next;
    if (this.#length === MOST_NODES || element.length > LONGEST_ELEMENT || !node.children.isShared) {
      return new OwnLevel(this.#nodes()).and(element, node);
    }
    const found = this.#others?.get(element)?.get(node) ?? this.#add(element, node);
    this.#next = found;
    return found;
  }

  #add(element: PathElement, node: FieldNode): SharedLevel {
    countParts(1);
    const added = new SharedLevel(this, ownText(element), node);
    if (this.#next !== undefined) {
      if (this.#others === undefined) this.#register(this.#next);
      this.#register(added);
    }
    return added;
  }

  #register(next: SharedLevel): void {
    this.#others ??= new Map();
    const ofElement = this.#others.get(next.#element);
    if (ofElement === undefined) this.#others.set(next.#element, new Map([[next.#node, next]]));
    else ofElement.set(next.#node, next);
  }

  set(): FieldSet {
    return (this.#set ??= this.#newSet());
  }

  #newSet(): FieldSet {
    if (this.#before === undefined) return emptyFieldSet;
    countParts(this.#length);
    return new FieldSet(this.#nodes(), true);
  }

  #nodes(): Map<PathElement, FieldNode> {
    if (this.#before === undefined) return new Map();
    const nodes = this.#before.#nodes();
    addNode(nodes, this.#element, this.#node);
    return nodes;
  }
}

/** A level that no other set shares. It is large, or has a large part. */
class OwnLevel {
  readonly #nodes: Map<PathElement, FieldNode>;

  constructor(nodes: Map<PathElement, FieldNode>) {
    this.#nodes = nodes;
  }

  and(element: PathElement, node: FieldNode): SetLevel {
    addNode(this.#nodes, element, node);
    return this;
  }

  set(): FieldSet {
    return new FieldSet(this.#nodes);
  }
}

/** One level of a set that is being read. */
export interface SetLevel {
  /** The level with one more node. An element that it has already gets the members of both nodes. The receiver is not used afterwards. */
  and(element: PathElement, node: FieldNode): SetLevel;
  /** The set of these nodes. */
  set(): FieldSet;
}

let firstLevel: SharedLevel = noLevel();
let parts = 0;

function noLevel(): SharedLevel {
  return new SharedLevel(undefined, '', emptyFieldSet.node(true));
}

function countParts(count: number): void {
  parts += count;
  if (parts < MOST_PARTS) return;
  parts = 0;
  firstLevel = noLevel();
}

/** A level without nodes. */
export function emptyLevel(): SetLevel {
  return firstLevel;
}

/** The shared set that equals this one. A large set is shared in parts. */
export function sharedSet(set: FieldSet): FieldSet {
  if (set.isShared) return set;
  let level = emptyLevel();
  for (const [element, { member, children }] of set.nodes) level = level.and(element, sharedSet(children).node(member));
  return level.set();
}

function addNode(nodes: Map<PathElement, FieldNode>, element: PathElement, node: FieldNode): void {
  const before = nodes.get(element);
  nodes.set(element, before === undefined ? node : uniteNodes(before, node));
}

/** A copy of a text, which may be a part of the much longer text of a request. Names of properties are such copies. */
function ownText(text: string): string {
  return Object.keys({ [text]: true })[0] ?? text;
}
