const CONTEXT = 3;

/**
 * A unified diff over the indented JSON of two values, for people. It has one hunk, from the first difference to the
 * last, which keeps it linear.
 */
export function jsonDifference(old: unknown, value: unknown): string {
  const before = lines(old);
  const after = lines(value);
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let end = 0;
  while (
    end < before.length - start &&
    end < after.length - start &&
    before[before.length - 1 - end] === after[after.length - 1 - end]
  ) {
    end++;
  }
  const from = Math.max(0, start - CONTEXT);
  const tail = Math.min(end, CONTEXT);
  const removed = before.slice(start, before.length - end);
  const added = after.slice(start, after.length - end);
  const context = (text: string): string => ` ${text}`;
  const size = start - from + tail;
  return [
    `@@ -${from + 1},${size + removed.length} +${from + 1},${size + added.length} @@`,
    ...before.slice(from, start).map(context),
    ...removed.map((text) => `-${text}`),
    ...added.map((text) => `+${text}`),
    ...after.slice(after.length - end, after.length - end + tail).map(context),
    '',
  ].join('\n');
}

function lines(value: unknown): string[] {
  const text = JSON.stringify(
    value,
    (_key, item: unknown): unknown => (typeof item === 'bigint' ? Number(item) : item),
    1,
  );
  return (text ?? 'null').split('\n');
}
