// Writes the table of facts, packages/api/src/generated/*.json, from the facts on one Kubernetes release in
// packages/api/facts (docs/updating-kubernetes.md). scripts/generate-types.mjs makes the interfaces from the table.
//
//   node scripts/generate-api.mjs [FACTS [OUTPUT]]
//
// The output depends on the facts alone, byte for byte.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadFacts } from './generate-api/facts.mjs';
import { buildResources, printResources } from './generate-api/resources-table.mjs';
import { buildDefinitions, buildUnservedDefinitions, printDefinitions } from './generate-api/types-table.mjs';

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

const folder = (path) => fileURLToPath(new URL(path, import.meta.url));
const [facts = folder('../packages/api/facts'), output = folder('../packages/api/src/generated')] =
  process.argv.slice(2);
const written = generate(facts, output);
process.stdout.write(`${written.definitions} definitions in ${written.files} files\n`);
