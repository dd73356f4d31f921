/** Names that differ in more than this share of their letters are not alike. */
const MOST_DIFFERENT = 0.4;
/** The time of a comparison is proportional to the length. */
const LONGEST = 100;

/** The name that is most like a mistyped or shortened one, whatever the case of letters; undefined: none is. */
export function nearest(mistyped: string, names: readonly string[]): string | undefined {
  if (mistyped.length > LONGEST) return undefined;
  const given = mistyped.toLowerCase();
  const ranked = names
    .map((name) => ({ name, share: differenceBetween(given, name.toLowerCase()) }))
    .sort((a, b) => a.share - b.share);
  const [best] = ranked;
  return best !== undefined && best.share <= MOST_DIFFERENT ? best.name : undefined;
}

/** The share of letters to change. A beginning of the name, of four letters or more, counts as equal. */
function differenceBetween(given: string, name: string): number {
  if (given.length >= 4 && name.startsWith(given)) return 0;
  return editsBetween(given, name) / name.length;
}

/** How many letters to insert, delete or replace. */
function editsBetween(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let index = 0; index < from.length; index++) {
    const next = [index + 1];
    for (let column = 0; column < to.length; column++) {
      const replaced = (row[column] ?? 0) + (from[index] === to[column] ? 0 : 1);
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
