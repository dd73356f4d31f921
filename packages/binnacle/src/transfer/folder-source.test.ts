import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { exportToFolder, pathInFolder } from './export-folder.js';
import { itemsInFiles } from './folder-source.js';
import { itemOf, itemText } from './item.js';
import { refusalOf } from './manifest-text.js';
import { planImport } from './plan.js';

const map = (name: string, more = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'a', ...more },
});

describe('objects in files', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'folder-source-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const write = (path: string, content: string | Buffer): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  };
  const names = async (...paths: readonly string[]) =>
    (
      await itemsInFiles(
        paths.map((path) => join(folder, path)),
        false,
      )
    ).items.map(itemText);

  it('are manifests of several documents, and lists', async () => {
    write(
      'one.yaml',
      '# nothing\n---\napiVersion: v1\nkind: Namespace\nmetadata: {name: a}\n---\n---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: a}\n',
    );
    write('sub/list.json', JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [map('x')] }));
    write('sub/typed.yml', 'apiVersion: v1\nkind: ConfigMapList\nitems:\n- metadata: {name: why}\n');
    write('sub/notes.txt', 'not read');
    write('text.json', JSON.stringify({ ...map('z'), data: { text: 'a\u2028---\u2028b' } }));
    assert.deepEqual(await names('.'), [
      'Namespace a',
      'Deployment.apps a/web',
      'ConfigMap a/x',
      'ConfigMap why',
      'ConfigMap a/z',
    ]);
    assert.deepEqual(await names('sub/list.json'), ['ConfigMap a/x']);
  });

  it('come in the order of their paths, however long they are', async () => {
    const expected = Array.from({ length: 100 }, (_, index) => `ConfigMap a/x${String(index).padStart(2, '0')}`);
    for (const [index, text] of expected.entries()) {
      const [, name = ''] = text.split('/');
      write(
        `${name}.json`,
        JSON.stringify({ ...map(name), data: { text: 'é'.repeat(index % 10 === 1 ? 70_000 : 1) } }),
      );
    }
    const { items } = await itemsInFiles([folder], false);
    assert.deepEqual(items.map(itemText), expected);
    assert.deepEqual(items[11]?.object['data'], { text: 'é'.repeat(70_000) });
  });

  it('are a backup of Velero, whose versions do not count twice', async () => {
    write('resources/configmaps/namespaces/a/x.json', JSON.stringify(map('x')));
    write('resources/configmaps/v1-preferredversion/namespaces/a/x.json', JSON.stringify(map('x')));
    write(
      'resources/namespaces/cluster/a.json',
      JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'a' } }),
    );
    const { items } = await itemsInFiles([folder], false);
    assert.deepEqual(planImport(items, { withSecrets: false }).stages.flat().map(itemText), [
      'Namespace a',
      'ConfigMap a/x',
    ]);
  });

  it('are read as they were exported', async () => {
    const widget = {
      apiVersion: 'example.com/v1',
      kind: 'Widget',
      metadata: { name: 'w', uid: 'u', generation: 1 },
      spec: { '<<': { merged: false } },
      status: { ok: true },
    };
    const items = [map('x', { uid: '1', resourceVersion: '5', managedFields: [] }), widget].map(itemOf);
    const plan = planImport(items, { withSecrets: false });
    const out = join(folder, 'out');
    const plural = async ({ kind }: { kind: string }) => `${kind.toLowerCase()}s`;
    assert.equal((await exportToFolder(plan, out, plural, () => undefined)).written, 2);
    const read = (await itemsInFiles([out], false)).items.map(({ object }) => object);
    assert.deepEqual(read, [map('x', { uid: '1' }), widget]);
    await assert.rejects(
      exportToFolder(plan, out, plural, () => undefined),
      /out is not empty/,
    );
    assert.equal(
      pathInFolder(itemOf(widget), 'widgets'),
      join('resources', 'widgets.example.com', 'cluster', 'w.yaml'),
    );
  });

  it('are refused while an export to their folder has not ended', async () => {
    const plan = planImport([map('x'), map('y')].map(itemOf), { withSecrets: false });
    const out = join(folder, 'out');
    const failing = async ({ name }: { name: string }) => {
      if (name === 'y') throw new Error('the export ends here');
      return 'configmaps';
    };
    await assert.rejects(
      exportToFolder(plan, out, failing, () => undefined),
      /the export ends here/,
    );
    await assert.rejects(itemsInFiles([out], false), /out: an export to this folder has not ended$/);
  });

  it('have files with shorter names than theirs', async () => {
    const long = [`a${'x'.repeat(252)}`, `${'ü'.repeat(200)}1`, `${'ü'.repeat(200)}2`].map((name) => map(name));
    const plan = planImport(long.map(itemOf), { withSecrets: false });
    const out = join(folder, 'out');
    await exportToFolder(
      plan,
      out,
      async () => 'configmaps',
      () => undefined,
    );
    const read = (await itemsInFiles([out], false)).items.map(({ name }) => name);
    assert.deepEqual(read.sort(), long.map(({ metadata }) => metadata.name).sort());
  });

  it('never lead out of the folder, whatever a server says', () => {
    for (const name of ['..', '.', '../../x', 'a/b', 'a\\b', 'a%2fb', 'a\0b', 'a\nb']) {
      assert.throws(() => itemOf(map(name)), /cannot be the name of an object/);
      assert.throws(() => itemOf(map('x', { namespace: name })), /cannot be the name of an object/);
      assert.throws(() => pathInFolder(itemOf(map('x')), name), /cannot be the name of a resource/);
    }
    assert.throws(() => itemOf({ ...map('x'), apiVersion: '..\\x/v1' }), /cannot be the name of an object/);
    assert.equal(itemOf(map('system:node...')).name, 'system:node...');
  });

  it('come through a pipe too', async () => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const read = names('pipe');
    await writeFile(pipe, JSON.stringify(map('x')));
    assert.deepEqual(await read, ['ConfigMap a/x']);
  });

  it('are refused with the file and the reason', async () => {
    const etcd = Buffer.alloc(64);
    etcd.writeUInt32LE(0xed0cdaed, 16);
    write('snapshot.db', etcd);
    write('backup.tar.gz', Buffer.from([0x1f, 0x8b, 8, 0]));
    write('wrong.yaml', 'a: [');
    write('text.yaml', 'only text');
    write('nameless.yaml', 'apiVersion: v1\nkind: Pod\n');
    await assert.rejects(names('snapshot.db'), /snapshot\.db: its first pages are damaged/);
    await assert.rejects(names('backup.tar.gz'), /backup\.tar\.gz is an archive: unpack it/);
    await assert.rejects(names('wrong.yaml'), /wrong\.yaml: document 1: yaml: /);
    await assert.rejects(names('text.yaml'), /text\.yaml: document 1: it is not an object/);
    await assert.rejects(names('nameless.yaml'), /nameless\.yaml: an object of kind Pod has no metadata\.name/);
    write('large.yaml', '');
    truncateSync(join(folder, 'large.yaml'), 300 * 1024 * 1024);
    await assert.rejects(names('large.yaml'), /large\.yaml is larger than 256 MiB/);
    await assert.rejects(names('absent'), /absent: no such file or directory/);
    assert.match(refusalOf(Buffer.from('binnacle-backup {}')) ?? '', /binnacle store restore/);
    assert.equal(refusalOf(Buffer.from('kind: Pod')), undefined);
  });
});
