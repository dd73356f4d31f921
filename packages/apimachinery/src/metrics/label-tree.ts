interface Node<T> {
  readonly children: Map<string, Node<T>>;
  leaf: T | undefined;
}

/** A map whose key is a sequence of strings; a lookup does not join them. */
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

  /** Adds a leaf at a key that is not yet used. */
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

  /** In order of insertion. */
  entries(): Iterable<readonly [readonly string[], T]> {
    return this.#leaves;
  }
}
