/** Writes test/encryption/upstream-values.json: values that kube-apiserver's own packages have stored. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KmsPlugin } from '../../encryption/plugin.mjs';
import { configurationOf, resources } from '../../encryption/resources.mjs';
import { Upstream } from './upstream.mjs';

const folder = mkdtempSync(join(tmpdir(), 'encryption-'));
const socket = join(folder, 'kms.sock');
const plugin = await new KmsPlugin(socket).start();
const file = join(folder, 'encryption.json');
writeFileSync(file, configurationOf(socket));
const upstream = await Upstream.start(file);
const values = [];
for (const resource of resources) {
  for (const [index, text] of ['{"kind":"Panda"}', 'x'.repeat(300), ''].entries()) {
    const key = `/registry/${resource}/default/${index}`;
    const { value, error } = await upstream.ask({ operation: 'write', resource, key, value: Buffer.from(text) });
    if (error !== undefined) throw new Error(error);
    values.push({ resource, key, text, stored: value.toString('base64') });
  }
}
await upstream.stop();
plugin.stop();
rmSync(folder, { recursive: true });
writeFileSync(
  new URL('../../encryption/upstream-values.json', import.meta.url),
  `${JSON.stringify(values, undefined, 2)}\n`,
);
