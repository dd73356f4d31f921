/**
 * Writes packages/client/src/kinds/generated: for every group and version that the release serves, the interfaces of its kinds as
 * programs read them, and a `ResourceType` for each resource. With `--check` it writes nothing and fails when they are not up to date.
 * It reads the committed table of facts, and nothing else.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { printKinds } from './generate-api/kinds.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const tables = join(root, 'packages', 'api', 'src', 'generated');
const output = join(root, 'packages', 'client', 'src', 'kinds', 'generated');

const { definitions } = JSON.parse(readFileSync(join(tables, 'types.json'), 'utf8'));
const { resources } = JSON.parse(readFileSync(join(tables, 'resources.json'), 'utf8'));
const files = printKinds(definitions, resources);

if (!process.argv.includes('--check')) {
  rmSync(output, { recursive: true, force: true });
  for (const [name, text] of files) {
    const path = join(output, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
} else {
  const present = existsSync(output)
    ? readdirSync(output, { recursive: true }).filter((name) => name.endsWith('.ts'))
    : [];
  for (const name of new Set([...present, ...files.keys()])) {
    const path = join(output, name);
    if (existsSync(path) && readFileSync(path, 'utf8') === files.get(name)) continue;
    console.error(
      `packages/client/src/kinds/generated/${name} is not what the table of facts says; run npm run generate`,
    );
    process.exitCode = 1;
  }
}
