import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** Folders that hold no pages of ours. */
const skipped = new Set(['node_modules', 'dist', 'bundle', '.git', '.cache', 'target', 'recorded']);

/** Paths of all pages, relative to the root. */
export function findPages(folder = root) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (skipped.has(entry.name)) return [];
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return findPages(path);
    return entry.name.endsWith('.md') ? [relative(root, path)] : [];
  });
}

export const readPage = (page) => readFileSync(join(root, page), 'utf8');

/**
 * The blocks of a page that are marked to be run: `<!-- run -->` above a block of `sh` or `ts`, or `<!-- run: fails -->` where every
 * command is to fail.
 */
export function runnableBlocks(text) {
  const blocks = text.matchAll(/^<!-- run(?:: (?<mode>\w+))? -->\n```(?<language>\w+)\n(?<code>.*?)^```$/gms);
  return Array.from(blocks, ({ groups }) => ({ ...groups }));
}

const START = /^(?:\$ )?(?:npx )?(?:binnacle(?= )|npm start --) ?/;

/** The arguments of each command `binnacle`, or `npm start`, in the code blocks of a page. */
export function commandsOf(text) {
  const blocks = text.matchAll(/^```(?:sh|bash|console)\n(.*?)^```$/gms);
  const lines = Array.from(blocks, ([, code]) => code.replaceAll('\\\n', ' ').split('\n')).flat();
  return lines
    .filter((line) => START.test(line))
    .map((line) => {
      const words = line.replace(START, (start) => (start.includes('npm start') ? 'serve ' : ''));
      return Array.from(words.replace(/ [#>&|].*$/, '').matchAll(/(?:[^\s'"]|'[^']*'|"[^"]*")+/g), ([word]) =>
        word.replace(/['"]/g, ''),
      );
    });
}

/**
 * The source files and folders, from the root, that a page's tables name whose last column is `test`: all code in that column, except in
 * parentheses, and each `PACKAGE/PATH`, `test/PATH` and `examples/PATH` in the columns before it.
 */
export function sourcePathsOf(text, packages) {
  const isPath = (word) => word.includes('/') && [...folders, ...packages].includes(word.split('/')[0]);
  const tables = Array.from(text.matchAll(/^\|.* \| test \|\n\| ---.*\n((?:\|.*\n)+)/gm), ([, rows]) =>
    rows.trim().split('\n'),
  );
  return tables
    .flat()
    .flatMap((row) => {
      const cells = row.replace(/^\| | \|$/g, '').split(' | ');
      return [
        ...cells.slice(1, -1).flatMap(codeOf).filter(isPath),
        ...codeOf(cells.at(-1).replace(/\(`[^)]*`\)/g, '')),
      ];
    })
    .map((path) => (folders.includes(path.split('/')[0]) ? path : path.replace(/^[^/]*/, 'packages/$&/src')));
}

const folders = ['test', 'examples'];
const codeOf = (cell) => Array.from(cell.matchAll(/`([^`]+)`/g), ([, code]) => code);

/** Relative links of a page, without those in code: `{ path, anchor }`, each empty where absent. */
export function relativeLinks(text) {
  const prose = withoutCode(text);
  return Array.from(prose.matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]*))?\)/g), ([, path, anchor = '']) => ({
    path,
    anchor,
  }));
}

/** What a page's headings are linked by. */
export function anchorsOf(text) {
  const headings = withoutFences(text).matchAll(/^#+ (.*)$/gm);
  return new Set(
    Array.from(headings, ([, heading]) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

const withoutFences = (text) => text.replace(/^```.*?^```$/gms, '');
const withoutCode = (text) => withoutFences(text).replace(/`[^`\n]*`(?!\]\()/g, '');
