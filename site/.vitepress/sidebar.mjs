import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const LINK = /\[([^\]]+)\]\(([^)]+\.md)\)/g;

/** The index of docs/ says what a reader wants, and the pages that help: each row is a group of the sidebar. */
export function sidebarOf(root) {
  const rows = readFileSync(join(root, 'docs/README.md'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| ') && line.includes(']('));
  return rows.map((row) => {
    const [, purpose = '', pages = ''] = row.split('|').map((cell) => cell.trim());
    return { text: purpose[0]?.toUpperCase() + purpose.slice(1), collapsed: true, items: itemsIn(pages) };
  });
}

function itemsIn(pages) {
  return [...pages.matchAll(LINK)].map(([, text, target]) => ({
    text,
    link: new URL(target, 'file:///docs/').pathname.replace(/\.md$/, ''),
  }));
}
