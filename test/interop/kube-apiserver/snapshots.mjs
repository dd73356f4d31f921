// Servers over an etcd that is restored from what `binnacle export --to-snapshot` has written.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { parseYaml } from '@binnacle/apimachinery/yaml';
import { connect, loadConfig } from '@binnacle/client';
import { etcdBinaries, EtcdProcess } from '@binnacle/kv/testing';
import { allObjects } from '../../e2e/all-objects.mjs';

const main = fileURLToPath(new URL('../../../packages/binnacle/bundle/cli/main.js', import.meta.url));
const samples = fileURLToPath(new URL('../../../.cache/upstream-samples', import.meta.url));
const execute = promisify(execFile);

/** Samples have values such as `failurePolicyValue`, by which a server would act. */
const ACTED_ON =
  /^(?:admissionregistration\.k8s\.io|apiextensions\.k8s\.io|apiregistration\.k8s\.io|flowcontrol\.apiserver\.k8s\.io)\//;

export const binnacle = async (...args) => (await execute(process.execPath, [main, ...args])).stdout;

export const startRestored = (snapshot) => EtcdProcess.start({ binary: etcdBinaries().at(-1).path, snapshot });

export const hasSamples = () => existsSync(samples);

/** All objects of the server of a kubeconfig. */
export async function objectsOf(kubeconfig) {
  const transport = connect(await loadConfig({ path: kubeconfig }), { onWarning: () => undefined });
  try {
    return await allObjects(transport);
  } finally {
    await transport.close();
  }
}

/** Writes upstream's sample of each kind to a folder, as an object that a server could have. */
export function writeSamples(folder) {
  mkdirSync(folder);
  for (const name of readdirSync(samples).filter((each) => each.endsWith('.json'))) {
    const sample = JSON.parse(readFileSync(join(samples, name), 'utf8'));
    if (sample.metadata?.name === undefined || ACTED_ON.test(sample.apiVersion)) continue;
    const { labels, annotations, creationTimestamp, generation } = sample.metadata;
    const metadata = {
      name: 'sample',
      namespace: 'default',
      uid: name,
      labels,
      annotations,
      creationTimestamp,
      generation,
    };
    writeFileSync(join(folder, name), JSON.stringify({ ...sample, metadata }));
  }
}

/** The objects in a folder that `binnacle export --to` has written. */
export function exportedObjects(folder) {
  const files = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('.yaml'));
  return files.map((name) => parseYaml(readFileSync(join(folder, name), 'utf8')).value);
}
