import {
  isTreeRecord,
  nodeCount,
  type PageFile,
  type PageNode,
  readNode,
  readTree,
  type TreeRecord,
} from './page-file.js';

export const TABLES = ['expiring', 'index', 'log', 'meta'] as const;
export type TableName = (typeof TABLES)[number];

/** The trees of the tables, from LMDB's own table of them. */
export function tablesOf(file: PageFile): Partial<Record<TableName, TreeRecord>> {
  const trees: Partial<Record<TableName, TreeRecord>> = {};
  for (const node of entriesOf(file, file.mainTree)) {
    const name = TABLES.find((table) => table === tableName(node.key));
    if (name !== undefined && isTreeRecord(node)) trees[name] = readTree(node.data);
  }
  return trees;
}

/** The name of a table without the NUL that the `lmdb` package appends. */
export function tableName(key: Buffer): string {
  return key.toString().replace(/\0$/, '');
}

/** All entries of a tree with intact pages, in stored order or backwards. */
export function* entriesOf(file: PageFile, { root, depth }: TreeRecord, backwards = false): Generator<PageNode> {
  if (root !== undefined) yield* below(file, root, depth, backwards);
}

/** The value under a key, in a tree with intact pages. A corrupt key does not hide other keys. */
export function findValue(file: PageFile, tree: TreeRecord, key: Buffer): Buffer | undefined {
  let number = tree.root;
  if (number === undefined) return undefined;
  for (let level = 1; level < tree.depth; level += 1) number = childFor(nodesOf(file, number, true), key);
  const found = nodesOf(file, number, false).find((node) => node.key.equals(key));
  return found === undefined ? undefined : file.value(found);
}

function* below(file: PageFile, number: number, levels: number, backwards: boolean): Generator<PageNode> {
  const nodes = nodesOf(file, number, levels > 1);
  for (const node of backwards ? nodes.toReversed() : nodes) {
    if (levels > 1) yield* below(file, node.child, levels - 1, backwards);
    else yield node;
  }
}

function childFor(nodes: readonly PageNode[], key: Buffer): number {
  const found = nodes.findLast((node, index) => index === 0 || Buffer.compare(node.key, key) <= 0);
  return found?.child ?? 0;
}

function nodesOf(file: PageFile, number: number, isBranch: boolean): PageNode[] {
  const page = file.read(number);
  const nodes: PageNode[] = [];
  if (page === undefined) return nodes;
  const count = nodeCount(page) ?? 0;
  for (let index = 0; index < count; index += 1) {
    const node = readNode(page, index, isBranch);
    if (node !== undefined) nodes.push(node);
  }
  return nodes;
}
