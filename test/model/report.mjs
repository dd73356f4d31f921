import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../../.cache/model/', import.meta.url));

/** One line with the counts of a round. */
export function summary({ counts, inconclusive }) {
  const { writes, unknown, refused, events, gets, lists, watches, delivered, bookmarks, expired, faults } = counts;
  const text =
    `${writes} writes (${refused} refused, ${unknown} unknown), ${events} events, ${gets} gets, ${lists} lists, ` +
    `${watches} watches with ${delivered} events and ${bookmarks} bookmarks, ${expired} expired, ${faults} faults`;
  return inconclusive ? `${text}; inconclusive` : text;
}

/** The violations, and the path of the saved history. */
export function complaint({ text, history, violations, server }) {
  mkdirSync(folder, { recursive: true });
  const file = `${folder}${text.replace(/[^a-z0-9]+/g, '-')}.jsonl`;
  history.save(file);
  const lines = violations
    .slice(0, 10)
    .map(({ predicate, text: what, entry }) => `  ${predicate}: ${what}\n    ${shortened(entry)}`);
  const complaints = server.errors === '' ? '' : `\n  the server said:\n${server.errors.slice(0, 4000)}`;
  return `${text}: ${violations.length} violations\n${lines.join('\n')}${complaints}\n  history: ${file}`;
}

function shortened(entry) {
  const text = JSON.stringify(entry) ?? '';
  return text.length > 1000 ? `${text.slice(0, 1000)} ...` : text;
}
