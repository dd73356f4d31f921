import type { Collection } from './collection.js';
import type { Row } from './row.js';

/** How well a text fits a query: higher is better; undefined: not at all. The letters must occur in their order. */
export function scoreOf(query: string, text: string): number | undefined {
  const [wanted, given] = [query.toLowerCase(), text.toLowerCase()];
  const place = given.indexOf(wanted);
  if (place >= 0) return 1000 - given.length - (place === 0 || /[^a-z0-9]/.test(given.charAt(place - 1)) ? 0 : 200);
  let at = -1;
  let gaps = 0;
  for (const letter of wanted) {
    const next = given.indexOf(letter, at + 1);
    if (next < 0) return undefined;
    if (at >= 0) gaps += next - at - 1;
    at = next;
  }
  return 300 - gaps * 5 - given.length;
}

/** Objects whose kind, namespace and name fit all words best, at most `most`. */
export function searchRows(collection: Collection, query: string, most: number): Row[] {
  const words = query.split(/[\s/]+/).filter((word) => word !== '');
  if (words.length === 0) return [];
  const found: { row: Row; score: number }[] = [];
  const names = collection.kinds.map(({ kind, shortNames }) => [kind, ...shortNames]);
  for (const row of collection.rows()) {
    const score = scoreOfRow(row, words, names[row.kind] ?? []);
    if (score !== undefined) found.push({ row, score });
  }
  return found
    .sort((a, b) => b.score - a.score || a.row.name.length - b.row.name.length || (a.row.name < b.row.name ? -1 : 1))
    .slice(0, most)
    .map(({ row }) => row);
}

function scoreOfRow(row: Row, words: readonly string[], kindNames: readonly string[]): number | undefined {
  let sum = 0;
  for (const word of words) {
    const texts = [row.name, row.namespace, ...kindNames];
    const scores = texts.map((text, index) => {
      // A namespace or a kind must begin with the word. In a name, its letters may be apart.
      const score = index === 0 || text.toLowerCase().startsWith(word.toLowerCase()) ? scoreOf(word, text) : undefined;
      return score === undefined ? Number.NEGATIVE_INFINITY : score;
    });
    const best = Math.max(...scores);
    if (best === Number.NEGATIVE_INFINITY) return undefined;
    sum += best;
  }
  return sum;
}
