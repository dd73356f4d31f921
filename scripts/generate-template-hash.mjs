/**
 * Writes what `packages/controllers/src/common/hashes` knows of upstream's Go types, and the templates that its test compares. Needs Go and the
 * modules of k8s.io/api, whose version is in `scripts/pod-template-hash/go.mod`: raise it with Kubernetes, then run this.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { goEnvironment } from './go.mjs';
import { repositoryRoot } from './test-files.mjs';

const folder = join(repositoryRoot, 'packages/controllers/src/common/hashes');
const { structs, named } = JSON.parse(printed('types'));
mkdirSync(join(folder, 'generated'), { recursive: true });
writeFileSync(
  join(folder, 'generated/go-types.ts'),
  `// Written by scripts/generate-template-hash.mjs.

/** The Go structs below \`PodTemplateSpec\`. A field is its Go name, its JSON name (\`.\` if it is inlined) and its type. */
export const structs: Readonly<Record<string, readonly string[]>> = ${JSON.stringify(structs, null, 2)};

/** The types below names that are not structs. */
export const named: Readonly<Record<string, string>> = ${JSON.stringify(named, null, 2)};
`,
);
mkdirSync(join(folder, 'testdata'), { recursive: true });
writeFileSync(join(folder, 'testdata/templates.jsonl'), printed('templates'));

function printed(what) {
  const { status, stdout, stderr } = spawnSync('go', ['run', '.', what], {
    cwd: join(repositoryRoot, 'scripts/pod-template-hash'),
    env: { ...process.env, ...goEnvironment },
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (status !== 0) throw new Error(`go run . ${what}: ${stderr}`);
  return stdout;
}
