import { readFile } from 'node:fs/promises';

/** A file of the page. */
export interface PageFile {
  readonly type: string;
  readonly text: string;
}

const TYPES: Readonly<Record<string, string>> = {
  '/': 'text/html; charset=utf-8',
  '/page.js': 'text/javascript; charset=utf-8',
  '/page.css': 'text/css; charset=utf-8',
};

/** Reads the files of the page, by path. The bundler writes them as one JSON object. */
export async function readPageFiles(
  file: URL = new URL('../page.json', import.meta.url),
): Promise<Map<string, PageFile>> {
  const texts = JSON.parse(await readFile(file, 'utf8')) as Readonly<Record<string, unknown>>;
  const files = new Map<string, PageFile>();
  for (const [path, type] of Object.entries(TYPES)) {
    const text = texts[path];
    if (typeof text !== 'string') throw new Error(`the page lacks ${path}`);
    files.set(path, { type, text });
  }
  return files;
}
