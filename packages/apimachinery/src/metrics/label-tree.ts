interface Node<T> {
  readonly children: Map<string, Node<T>>;
  leaf: T | undefined;
}

/** Things found by several texts in turn, without joining them to a key. */
export class LabelTree<T> {
  readonly #root: Node<T> = { children: new Map(), leaf: undefined };
  readonly #leaves: (readonly [readonly string[], T])[] = [];

  find(...values: readonly string[]): T | undefined {
    let node: Node<T> | undefined = this.#root;
    for (const value of values) {
      node = node.children.get(value);
      if (node === undefined) return undefined;
    }
    return node.leaf;
  }

  /** Nothing stands there yet. */
  add(values: readonly string[], leaf: T): void {
    let node = this.#root;
    for (const value of values) {
      let child = node.children.get(value);
      if (child === undefined) {
        child = { children: new Map(), leaf: undefined };
        node.children.set(value, child);
      }
      node = child;
    }
    node.leaf = leaf;
    this.#leaves.push([values, leaf]);
  }

  /** In the order in which they were added. */
  entries(): Iterable<readonly [readonly string[], T]> {
    return this.#leaves;
  }
}
