import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parseYaml } from '@binnacle/apimachinery/yaml';
import { ControllerManager, controllerOf, findCondition, SharedInformerFactory } from '@binnacle/client';
import { Secret } from '@binnacle/client/kinds/core/v1';
import { waitFor, waitForDeletion } from '@binnacle/client/testing';
import { testServer } from 'binnacle/testing';
import { accessController } from './access-controller.js';
import { bucketController } from './bucket-controller.js';
import { BucketAccessV1 as BucketAccess, BucketV1 as Bucket } from './generated/storage.js';
import { FolderStore, type ObjectStore } from './object-store.js';

const fileOf = (name: string): string => fileURLToPath(new URL(`../${name}`, import.meta.url));
const read = (name: string): unknown[] =>
  readFileSync(fileOf(name), 'utf8')
    .split('\n---\n')
    .map((document) => parseYaml(document).value);
const [photos, album] = read('example.yaml') as [Bucket, BucketAccess];

const bucketOf = (name: string, spec: Bucket['spec'] = {}): Bucket => ({
  apiVersion: 'storage.example.com/v1',
  kind: 'Bucket',
  metadata: { name },
  spec,
});
const isReady =
  (status: string, reason: string) =>
  (object: Bucket | BucketAccess): boolean => {
    const ready = findCondition(object.status?.conditions, 'Ready');
    return ready?.status === status && ready.reason === reason;
  };

/** An in-memory cluster in this process, with the operator running. */
async function setUp() {
  const folder = mkdtempSync(join(tmpdir(), 'bucket-operator-'));
  const server = await testServer({ definitions: [fileOf('crds.yaml')] });
  const { client } = server;

  const store = new FolderStore(folder);
  const full = new Set<string>();
  const moody: ObjectStore = {
    ensureBucket: async (bucket) => {
      if (full.has(bucket)) throw new Error('the store is full');
      await store.ensureBucket(bucket);
    },
    deleteBucket: (bucket) => store.deleteBucket(bucket),
    ensureKey: (bucket, user) => store.ensureKey(bucket, user),
    revokeKey: (bucket, user) => store.revokeKey(bucket, user),
  };
  const informers = new SharedInformerFactory(client);
  const manager = new ControllerManager({ client, informers, report: () => undefined });
  manager.add(bucketController(moody));
  manager.add(accessController(moody, informers));
  const stop = new AbortController();
  const running = manager.run(stop.signal);

  return {
    buckets: client.resource(Bucket).namespace('default'),
    accesses: client.resource(BucketAccess).namespace('default'),
    secrets: client.resource(Secret).namespace('default'),
    full,
    inStore: (path: string) => existsSync(join(folder, path)),
    async tearDown() {
      stop.abort();
      await running;
      await server.stop();
      rmSync(folder, { recursive: true });
    },
  };
}

describe('the bucket operator', { timeout: 600_000 }, () => {
  let cluster: Awaited<ReturnType<typeof setUp>>;
  before(async () => {
    cluster = await setUp();
  });
  after(() => cluster.tearDown());

  it('creates buckets, and deletes them with their objects', async () => {
    const { buckets, inStore } = cluster;
    await buckets.create(bucketOf('drafts'));
    await waitFor(buckets, 'drafts', isReady('True', 'Created'));
    assert.equal(inStore('buckets/default.drafts'), true);
    await buckets.delete('drafts');
    await waitForDeletion(buckets, 'drafts');
    assert.equal(inStore('buckets/default.drafts'), false);
  });

  it('keeps the files of a bucket with retain', async () => {
    const { buckets, inStore } = cluster;
    await buckets.create(bucketOf('letters', { retain: true }));
    await waitFor(buckets, 'letters', isReady('True', 'Created'));
    await buckets.delete('letters');
    await waitForDeletion(buckets, 'letters');
    assert.equal(inStore('buckets/default.letters'), true);
  });

  it('grants access by a Secret when the bucket is ready', async () => {
    const { buckets, accesses, secrets, inStore } = cluster;
    const access = await accesses.create(album);
    await waitFor(accesses, 'album', isReady('False', 'BucketNotReady'));
    await buckets.create(photos);
    await waitFor(accesses, 'album', isReady('True', 'KeyGranted'));
    const secret = await secrets.get('album');
    assert.equal(controllerOf(secret)?.uid, access.metadata.uid);
    assert.equal(Buffer.from(secret.data?.['bucket'] ?? '', 'base64').toString(), 'default.photos');
    assert.equal(inStore('keys/default.photos/album'), true);
  });

  it('re-creates a deleted Secret with the same key', async () => {
    const { secrets } = cluster;
    const { data, metadata } = await secrets.get('album');
    await secrets.delete('album');
    const again = await waitFor(secrets, 'album', (secret) => secret.metadata.uid !== metadata.uid);
    assert.deepEqual(again.data, data);
  });

  it('keeps a bucket that is in use', async () => {
    const { buckets, accesses, inStore } = cluster;
    await buckets.delete('photos');
    await waitFor(buckets, 'photos', isReady('False', 'InUse'));
    await waitFor(accesses, 'album', isReady('False', 'BucketNotReady'));
    assert.equal(inStore('buckets/default.photos'), true);
    await accesses.delete('album');
    await waitForDeletion(accesses, 'album');
    await waitForDeletion(buckets, 'photos');
    assert.equal(inStore('keys/default.photos/album'), false);
    assert.equal(inStore('buckets/default.photos'), false);
  });

  it('reports failures and retries', async () => {
    const { buckets, full } = cluster;
    full.add('default.maps');
    await buckets.create(bucketOf('maps'));
    const failed = await waitFor(buckets, 'maps', isReady('False', 'StoreFailed'));
    assert.equal(findCondition(failed.status?.conditions, 'Ready')?.message, 'the store is full');
    full.clear();
    await waitFor(buckets, 'maps', isReady('True', 'Created'));
  });
});
