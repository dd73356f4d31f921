/** A large cluster in a real Chromium: 1,000 nodes, 100,000 pods, 1,000 changes a second. The server is a script. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sleep, systemClock } from '@binnacle/apimachinery/clock';
import { ScriptedTransport } from '@binnacle/client/testing';
import { noBrowser, openConsole, picture } from './browser.mjs';

const PODS = 100_000;
const NODES = 1000;
const CHANGES = 5000;

const resource = (name, kind, group = '') => ({
  resource: name,
  responseKind: { group, version: 'v1', kind },
  scope: 'Namespaced',
  verbs: ['get', 'list', 'watch'],
});
const discovery = (items) => ({
  headers: { 'content-type': 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList' },
  object: { kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2', metadata: {}, items },
});
const pod = (index, version, isReady = index % 97 !== 0) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name: `pod-${index}`,
    namespace: `team-${index % 50}`,
    uid: `pod-${index}`,
    resourceVersion: String(version),
  },
  spec: { nodeName: `node-${index % NODES}` },
  status: {
    phase: 'Running',
    containerStatuses: [
      isReady ? { ready: true } : { ready: false, state: { waiting: { reason: 'CrashLoopBackOff' } } },
    ],
  },
});
const node = (index) => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: `node-${index}`, uid: `node-${index}`, resourceVersion: '1' },
  status: { conditions: [{ type: 'Ready', status: index % 143 === 7 ? 'False' : 'True', reason: 'KubeletNotReady' }] },
});

/** The server. `start()` lets the changes begin. */
function largeServer() {
  let start;
  const started = new Promise((resolve) => (start = resolve));
  const lists = { pods: [PODS, (index) => pod(index, 1), 'PodList'], nodes: [NODES, node, 'NodeList'] };
  const changes = async function* (signal) {
    await started;
    for (let count = 0; count < CHANGES && !signal.aborted; count += 20) {
      for (let each = 0; each < 20; each += 1) {
        const index = ((count + each) * 7919) % PODS;
        yield { type: 'MODIFIED', object: pod(index, 2 + count + each, each % 5 !== 0) };
      }
      await sleep(systemClock, 20, signal).catch(() => undefined);
    }
    yield* forever(signal);
  };
  const transport = new ScriptedTransport(({ path }, { signal }) => {
    if (path === '/api')
      return discovery([
        {
          metadata: { name: '' },
          versions: [
            { version: 'v1', resources: [resource('pods', 'Pod'), { ...resource('nodes', 'Node'), scope: 'Cluster' }] },
          ],
        },
      ]);
    if (path === '/apis') return discovery([]);
    if (path === '/version') return { object: { gitVersion: 'v1.36.0' } };
    const url = new URL(path, 'https://example.com');
    const name = url.pathname.split('/').at(-1);
    const [count, make, kind] = lists[name] ?? [];
    if (count === undefined || path.startsWith('/binnacle'))
      return { status: 404, object: { kind: 'Status', code: 404 } };
    if (url.searchParams.has('watch')) return { lines: name === 'pods' ? changes(signal) : forever(signal) };
    const from = Number(url.searchParams.get('continue') ?? 0);
    const to = Math.min(count, from + 500);
    const next = to < count ? { continue: String(to) } : {};
    return {
      object: {
        apiVersion: 'v1',
        kind,
        metadata: { resourceVersion: '1', ...next },
        items: Array.from({ length: to - from }, (_, at) => make(from + at)),
      },
    };
  });
  return { transport, start };
}

async function* forever(signal) {
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  yield* [];
}

describe('the page of a large cluster', { skip: noBrowser, timeout: 300_000 }, () => {
  const { transport, start } = largeServer();
  let opened;
  let page;
  before(async () => {
    opened = await openConsole({ transport });
    page = opened.page;
  });
  after(() => opened?.close());

  it('holds 100,000 objects, and renders only what is on the screen', async () => {
    await page.getByText('101,000 objects').waitFor();
    await page.keyboard.press('3');
    await page.getByText(/100,000 objects/).waitFor();
    assert.ok((await page.locator('.row').count()) < 100);
    await page.getByRole('listbox', { name: 'Pod objects' }).focus();
    await page.keyboard.press('End');
    await page.locator('.row[aria-posinset="100000"]').waitFor();
  });

  it('finds one of them', async () => {
    await page.keyboard.press('/');
    await page.keyboard.type('pod-77777');
    await page.getByRole('option', { name: /pod-77777/ }).waitFor();
    await page.keyboard.press('Escape');
  });

  it('draws 1,000 nodes without scrolling, and names those that need attention', async () => {
    await page.keyboard.press('4');
    await page.getByText('7 not ready').waitFor();
    await page.getByRole('button', { name: 'node-7 KubeletNotReady' }).waitFor();
    await picture(page, 'thousand-nodes');
    const frame = await page
      .locator('.node-frame')
      .evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight);
    assert.ok(frame <= 0, `${frame} pixels to scroll`);
  });

  it('follows thousands of changes, answers keys meanwhile, and says what it drops', async () => {
    await page.keyboard.press('2');
    start();
    await page.locator('.change-line').first().waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByText(/^5,000 changes shown$/).waitFor();
    assert.deepEqual(
      opened.problems.filter((text) => !text.includes('404')),
      [],
    );
  });
});
