/**
 * A rollout goes bad. The commands name the write, a fork starts before it, a revert undoes it, and the page shows each step. The pictures
 * are in .cache/console.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { systemClock } from '@binnacle/apimachinery/clock';
import { Deployment } from '@binnacle/client/kinds/apps/v1';
import { testServer } from 'binnacle/testing';
import { noBrowser, openConsole, picture } from './browser.mjs';

const execute = promisify(execFile);
const command = fileURLToPath(new URL('../../packages/binnacle/bin/binnacle.js', import.meta.url));

const web = {
  metadata: { name: 'web' },
  spec: {
    replicas: 3,
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: { containers: [{ name: 'web', image: 'example.com/web:1' }] },
    },
  },
};

describe('the story of a bad rollout', { skip: noBrowser, timeout: 240_000 }, () => {
  let server;
  let folder;
  let opened;
  let page;
  let deployments;
  /** A moment between the two writes, as text. */
  let good;
  /** The revision of the bad write. */
  let bad;
  before(async () => {
    server = await testServer({ controllers: '*', scheduler: true, nodes: 3, historyRetentionMs: 3_600_000 });
    folder = await mkdtemp(join(tmpdir(), 'story-'));
    deployments = server.client.resource(Deployment).namespace('default');
    opened = await openConsole(server);
    page = opened.page;
  });
  after(async () => {
    await opened?.close();
    await server?.stop();
    if (folder !== undefined) await rm(folder, { recursive: true });
  });

  const line = () => page.locator('.tree-line', { hasText: 'web' });
  const run = async (...parameters) => {
    const environment = { ...process.env, KUBECONFIG: await server.kubeconfigFile() };
    const { stdout } = await execute(process.execPath, [command, ...parameters], { env: environment, cwd: folder });
    return stdout;
  };
  const imageIn = ({ spec }) => spec.template.spec.containers[0].image;
  it('begins with a good state', async () => {
    await deployments.create(web);
    await line().first().getByText('3/3 ready').waitFor();
    // The picture takes longer than a millisecond, so no write of the next step has this time.
    good = new Date(systemClock.now()).toISOString();
    await picture(page, 'story-1-good');
  });

  it('goes bad, which the page shows by its pods', async () => {
    const jane = server
      .clientAs({ user: 'jane', groups: ['system:masters'] })
      .resource(Deployment)
      .namespace('default');
    const template = {
      metadata: { annotations: { 'binnacle.dev/fail-after': '0s' } },
      spec: { containers: [{ name: 'web', image: 'example.com/web:broken' }] },
    };
    await jane.patch('web', { type: 'strategic', body: { spec: { template } } });
    await deployments.patch('web', { type: 'merge', body: { spec: { replicas: 5 } } });
    await line()
      .getByText(/BackOff|Error/)
      .first()
      .waitFor();
    await picture(page, 'story-2-bad');
  });

  it('names the write: log, blame, diff, and the page', async () => {
    const log = await run('log', 'deploy/web', '--field', '.spec.template', '--limit', '1');
    assert.match(log, /^\d+ .* jane .* patch .* Deployment default\/web /);
    [bad] = log.split(' ');
    assert.match(
      await run('blame', 'deploy/web'),
      new RegExp(`^${bad} .* jane .*image: "example.com/web:broken"$`, 'm'),
    );
    const diff = await run('diff', String(Number(bad) - 1), bad, 'deploy/web');
    assert.match(diff, /- .*image: "example.com\/web:1"\n/);
    assert.match(diff, /\+ .*image: "example.com\/web:broken"\n/);
    await page.keyboard.press('/');
    await page.keyboard.type('deploy web');
    await page.getByRole('option', { name: /Deployment.*web/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.keyboard.press('h');
    const event = page.locator('.events > li', { hasText: 'jane' });
    await event.locator('ins', { hasText: 'example.com/web:broken' }).waitFor();
    await event.scrollIntoViewIfNeeded();
    await picture(page, 'story-3-who');
  });

  it('was well before, on the page and in a fork', async () => {
    const jane = page.locator('.events > li', { hasText: 'jane' });
    await jane.locator('xpath=following-sibling::li[1]').getByRole('button', { name: 'go to this moment' }).click();
    await page.getByText(/ago, revision \d+/).waitFor();
    await page.keyboard.press('y');
    await page.locator('.yaml-line', { hasText: 'image: example.com/web:1' }).waitFor();
    await picture(page, 'story-4-before');
    await run('fork', good, '--name', 'before');
    const kubeconfig = join(folder, 'before.kubeconfig');
    const before = await run('get', 'deploy/web', '--at', '0s', '--kubeconfig', kubeconfig, '-o', 'json');
    assert.equal(imageIn(JSON.parse(before)), 'example.com/web:1');
    assert.equal(imageIn(await deployments.get('web')), 'example.com/web:broken');
    await run('fork', '--delete', 'before');
  });

  it('is well again after the revert, and keeps the later write', async () => {
    await run('revert', bad);
    const mended = await deployments.get('web');
    assert.deepEqual([imageIn(mended), mended.spec.replicas], ['example.com/web:1', 5]);
    await page.getByRole('button', { name: /Back to now/ }).click();
    await line().first().getByText('5/5 ready').waitFor();
    await page.keyboard.press('h');
    const event = page.locator('.events > li', { hasText: 'binnacle-revert' });
    await event.locator('ins', { hasText: 'example.com/web:1' }).waitFor();
    await event.scrollIntoViewIfNeeded();
    await picture(page, 'story-5-reverted');
    assert.deepEqual(opened.problems, []);
  });
});
