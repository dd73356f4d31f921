/** A binary heap: `pop` returns the item that comes first. */
export class Heap<T> {
  readonly #compare: (a: T, b: T) => number;
  readonly #items: T[] = [];

  constructor(compare: (a: T, b: T) => number) {
    this.#compare = compare;
  }

  get size(): number {
    return this.#items.length;
  }

  peek(): T | undefined {
    return this.#items[0];
  }

  push(item: T): void {
    const items = this.#items;
    let index = items.length;
    items.push(item);
    while (index > 0) {
      const parent = (index - 1) >> 1;
      const above = items[parent];
      if (above === undefined || this.#compare(above, item) <= 0) break;
      items[index] = above;
      index = parent;
    }
    items[index] = item;
  }

  pop(): T | undefined {
    const [first] = this.#items;
    const last = this.#items.pop();
    if (this.#items.length > 0 && last !== undefined) this.#sink(last);
    return first;
  }

  /** Places an item from the top downwards. */
  #sink(item: T): void {
    const items = this.#items;
    let index = 0;
    for (;;) {
      const left = 2 * index + 1;
      const [one, other] = [items[left], items[left + 1]];
      if (one === undefined) break;
      const isOther = other !== undefined && this.#compare(other, one) < 0;
      const next = isOther ? other : one;
      if (this.#compare(item, next) <= 0) break;
      items[index] = next;
      index = isOther ? left + 1 : left;
    }
    items[index] = item;
  }
}
