/** An item of a history. */
interface Versioned {
  readonly resourceVersion: string;
}

/** Merges histories, each newest first, into one. Takes from each only what it yields, and one item more. */
export async function* newestFirst<T extends Versioned>(
  histories: readonly AsyncIterable<T>[],
): AsyncGenerator<T, void, undefined> {
  const sources = histories.map((history) => history[Symbol.asyncIterator]());
  const heads = await Promise.all(sources.map((source) => source.next()));
  try {
    for (;;) {
      let newest: { readonly index: number; readonly item: T } | undefined;
      for (const [index, head] of heads.entries()) {
        if (head.done === true) continue;
        if (newest === undefined || revisionOf(head.value) > revisionOf(newest.item))
          newest = { index, item: head.value };
      }
      if (newest === undefined) return;
      yield newest.item;
      const next = await sources[newest.index]?.next();
      if (next !== undefined) heads[newest.index] = next;
    }
  } finally {
    for (const source of sources) await source.return?.();
  }
}

const revisionOf = ({ resourceVersion }: Versioned): number => Number(resourceVersion);
