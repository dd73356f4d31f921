/**
 * Writes the interfaces of the built-in kinds from the committed table of facts, and from nothing else: those for rules
 * (packages/api/src/generated/types), and those that client programs read, with a `ResourceType` for each resource
 * (packages/client/src/kinds/generated). With `--check` it writes nothing and fails when a file is not up to date.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { printKinds } from './generate-api/kinds.mjs';
import { printInterfaces } from './generate-api/typescript.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const tables = join(root, 'packages/api/src/generated');

const { definitions } = JSON.parse(readFileSync(join(tables, 'types.json'), 'utf8'));
const { resources } = JSON.parse(readFileSync(join(tables, 'resources.json'), 'utf8'));

const use = process.argv.includes('--check') ? check : write;
use('packages/api/src/generated/types', printInterfaces(definitions));
use('packages/client/src/kinds/generated', printKinds(definitions, resources));

/** @param {string} folder replaced as a whole @param {Map<string, string>} files name to text */
function write(folder, files) {
  rmSync(join(root, folder), { recursive: true, force: true });
  for (const [name, text] of files) {
    const path = join(root, folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}

/** @param {string} folder @param {Map<string, string>} files name to text */
function check(folder, files) {
  const present = existsSync(join(root, folder))
    ? readdirSync(join(root, folder), { recursive: true }).filter((name) => name.endsWith('.ts'))
    : [];
  for (const name of new Set([...present, ...files.keys()])) {
    const path = join(root, folder, name);
    if (existsSync(path) && readFileSync(path, 'utf8') === files.get(name)) continue;
    console.error(`${folder}/${name} is not what the table of facts says; run npm run generate`);
    process.exitCode = 1;
  }
}
