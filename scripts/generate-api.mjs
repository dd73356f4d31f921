// Writes the table of facts, packages/api/src/generated/*.json, from a folder of facts on one Kubernetes release
// (docs/updating-kubernetes.md). scripts/generate-types.mjs makes the interfaces from the table.
//
//   node scripts/generate-api.mjs FACTS [OUTPUT]
//
// The output depends on the facts alone, byte for byte.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadFacts } from './generate-api/facts.mjs';
import { buildResources, printResources } from './generate-api/resources-table.mjs';
import { buildDefinitions, buildUnservedDefinitions, printDefinitions } from './generate-api/types-table.mjs';

const usage = 'usage: node scripts/generate-api.mjs FACTS [OUTPUT]';

/** @param {string} factsFolder @param {string} outputFolder */
function generate(factsFolder, outputFolder) {
  const facts = loadFacts(factsFolder);
  const definitions = buildDefinitions(facts);
  const unserved = buildUnservedDefinitions(facts, definitions);
  const files = new Map([
    ['types.json', printDefinitions(facts.version, definitions)],
    ['unserved-types.json', printDefinitions(facts.version, unserved)],
    ['resources.json', printResources(facts.version, buildResources(facts, unserved))],
  ]);
  mkdirSync(outputFolder, { recursive: true });
  for (const [name, text] of files) writeFileSync(join(outputFolder, name), text);
  return { definitions: definitions.size + unserved.size, files: files.size };
}

const [factsFolder, outputFolder] = process.argv.slice(2);
if (factsFolder === undefined) {
  process.stderr.write(`${usage}\n`);
  process.exitCode = 2;
} else {
  const fallback = fileURLToPath(new URL('../packages/api/src/generated', import.meta.url));
  const written = generate(factsFolder, outputFolder ?? fallback);
  process.stdout.write(`${written.definitions} definitions in ${written.files} files\n`);
}
