/** The page in a real Chromium: a rollout goes bad, and a person finds out who did it and looks back. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Namespace } from '@binnacle/client/kinds/core/v1';
import { Deployment } from '@binnacle/client/kinds/apps/v1';
import { DynamicClient } from '@binnacle/client/dynamic';
import { clientConfigOf, parseKubeconfig } from '@binnacle/client/kubeconfig';
import { connect } from '@binnacle/client/transport';
import { testServer } from 'binnacle/testing';
import { accessibilityFaults, noBrowser, openConsole, picture } from './browser.mjs';

const deployment = (name, replicas) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, labels: { app: name } },
  spec: {
    replicas,
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: { containers: [{ name: 'app', image: `example.com/${name}:1` }] },
    },
  },
});

describe('the page', { skip: noBrowser, timeout: 240_000 }, () => {
  let server;
  let opened;
  let page;
  /** The kubeconfigs of forks, by path. */
  const written = new Map();
  before(async () => {
    server = await testServer({ controllers: '*', scheduler: true, nodes: 12, historyRetentionMs: 3_600_000 });
    const namespaces = server.client.resource(Namespace);
    for (const name of ['shop', 'billing']) await namespaces.create({ metadata: { name } });
    const deployments = server.client.resource(Deployment);
    for (const [name, replicas] of [
      ['web', 4],
      ['cart', 3],
      ['search', 6],
    ]) {
      await deployments.namespace('shop').create(deployment(name, replicas));
    }
    await deployments.namespace('billing').create(deployment('invoices', 2));
    opened = await openConsole(server, { writeFile: async (path, text) => void written.set(path, text) });
    page = opened.page;
  });
  after(async () => {
    await opened?.close();
    await server?.stop();
  });

  const line = (text) => page.locator('.tree-line', { hasText: text });

  it('shows workloads as they come up', async () => {
    await line('search').first().getByText('6/6 ready').waitFor();
    await line('web').first().getByText('4/4 ready').waitFor();
    assert.equal(await page.locator('[role=tree]').count(), 1);
    assert.deepEqual(await accessibilityFaults(page), []);
  });

  it('shows a bad rollout at once, by its pods', async () => {
    const jane = server
      .clientAs({ user: 'jane', groups: ['system:masters'] })
      .resource(Deployment)
      .namespace('shop');
    const template = {
      metadata: { annotations: { 'binnacle.dev/fail-after': '0s' } },
      spec: { containers: [{ name: 'app', image: 'example.com/web:2' }] },
    };
    await jane.patch('web', { type: 'strategic', body: { spec: { template } } });
    await line('web')
      .getByText(/BackOff|Error/)
      .first()
      .waitFor();
    await picture(page, 'workloads');
    assert.deepEqual(await accessibilityFaults(page), []);
  });

  it('lists changes with their authors', async () => {
    await page.keyboard.press('2');
    await page.getByRole('listbox', { name: 'Changes, newest first' }).waitFor();
    await page.locator('.change-line', { hasText: 'spec changed' }).first().waitFor();
    await picture(page, 'changes');
    assert.deepEqual(await accessibilityFaults(page), []);
  });

  it('finds an object, and shows who owns its fields', async () => {
    await page.keyboard.press('1');
    await page.keyboard.press('/');
    await page.keyboard.type('deploy web');
    await page.getByRole('option', { name: /Deployment.*web.*shop/ }).waitFor();
    assert.deepEqual(await accessibilityFaults(page), []);
    await picture(page, 'search');
    await page.keyboard.press('Enter');
    await page.getByRole('tab', { name: /Fields/ }).waitFor();
    await page.locator('.owner', { hasText: 'kube-controller-manager' }).first().waitFor();
    const image = page.locator('.yaml-line', { hasText: 'image: example.com/web:2' });
    assert.match(await image.getAttribute('title'), /^owned by /);
    await picture(page, 'fields');
    assert.deepEqual(await accessibilityFaults(page), []);
  });

  it('names who changed what', async () => {
    await page.keyboard.press('h');
    const event = page.locator('.events > li', { hasText: 'jane' });
    await event.locator('del', { hasText: 'example.com/web:1' }).waitFor();
    await event.locator('ins', { hasText: 'example.com/web:2' }).waitFor();
    await event.scrollIntoViewIfNeeded();
    await picture(page, 'history');
    await page.keyboard.press('s');
    await page.locator('.condition', { hasText: 'Available' }).waitFor();
    assert.deepEqual(await accessibilityFaults(page), []);
  });

  it('goes back to the moment before, in all views', async () => {
    await page.keyboard.press('h');
    const created = page.locator('.events > li', { hasText: 'create with' });
    await created.waitFor();
    const jane = page.locator('.events > li', { hasText: 'jane' });
    const previous = jane.locator('xpath=following-sibling::li[1]').getByRole('button', { name: 'go to this moment' });
    await previous.click();
    await page.getByText(/ago, revision \d+/).waitFor();
    await page.keyboard.press('y');
    await page.locator('.yaml-line', { hasText: 'image: example.com/web:1' }).waitFor();
    assert.equal(
      await line('web')
        .getByText(/BackOff|Error/)
        .count(),
      0,
    );
    await page.getByRole('button', { name: 'Fork from here' }).waitFor();
    await picture(page, 'past');
    assert.deepEqual(await accessibilityFaults(page), []);
    await page.keyboard.press('e');
    await page.getByText('The past cannot be edited.').waitFor();
  });

  it('starts a fork of that moment, where the rollout has not happened', async () => {
    const [, version] = /revision (\d+)/.exec(await page.locator('.where').textContent());
    await page.keyboard.press('F');
    const dialog = page.getByRole('dialog', { name: 'Fork' });
    await dialog.getByText(`Fork of revision ${version}`).waitFor();
    await dialog.getByText('export KUBECONFIG=').waitFor();
    await picture(page, 'fork');
    assert.deepEqual(await accessibilityFaults(page), []);
    const [[path, kubeconfig] = []] = written;
    assert.ok((await dialog.textContent()).includes(path));
    assert.ok(!(await page.content()).includes('PRIVATE KEY'), 'the page has no credentials');
    const fork = connect(await clientConfigOf(parseKubeconfig(kubeconfig)));
    const web = await new DynamicClient(fork).resource(Deployment).namespace('shop').get('web');
    assert.equal(web.spec.template.spec.containers[0].image, 'example.com/web:1');
    await fork.close();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
  });

  it('compares that moment with now', async () => {
    await page.keyboard.press('m');
    await page.keyboard.press('Escape');
    await page.keyboard.press('6');
    await page.keyboard.press('l');
    const different = page.locator('.change-line', { hasText: 'shop/web' }).first();
    await different.waitFor();
    const deploy = page.locator('.row', {
      has: page.locator('.kind-name', { hasText: /^Deployment$/ }),
      hasText: 'web',
    });
    await deploy.click();
    await page.locator('.detail ins', { hasText: 'example.com/web:2' }).first().waitFor();
    await picture(page, 'compare');
    assert.deepEqual(await accessibilityFaults(page), []);
  });

  it('goes to the past by dragging the bar, and back', async () => {
    await page.keyboard.press('1');
    const bar = await page.getByRole('slider', { name: 'Moment' }).boundingBox();
    await page.mouse.move(bar.x + bar.width - 2, bar.y + 20);
    await page.mouse.down();
    await page.mouse.move(bar.x + bar.width - 30, bar.y + 20, { steps: 6 });
    await page.mouse.up();
    await page.getByText(/ago, revision \d+/).waitFor();
    await page.getByRole('button', { name: /Back to now/ }).click();
    await page.getByText('drag the bar to look back').waitFor();
  });

  it('edits with a dry run, a preview, and the words of the server', async () => {
    await line('web').first().click();
    await page.keyboard.press('e');
    const text = page.getByRole('textbox', { name: 'The object as YAML' });
    await text.waitFor();
    const yaml = await text.inputValue();
    assert.ok(!yaml.includes('managedFields'));
    assert.ok(await page.getByRole('button', { name: 'Apply' }).isDisabled());
    await text.fill(yaml.replace('replicas: 4', 'replicas: -1'));
    await page.getByRole('button', { name: 'Check' }).click();
    await page.getByText('spec.replicas: Invalid value: -1: must be greater than or equal to 0').waitFor();
    await text.fill(yaml.replace('example.com/web:2', 'example.com/web:1').replace('replicas: 4', 'replicas: 5'));
    await page.getByRole('button', { name: 'Check' }).click();
    await page.getByText('2 fields would change').waitFor();
    await text.evaluate((element) => element.scrollTo(0, 0));
    await picture(page, 'edit');
    assert.deepEqual(await accessibilityFaults(page), []);
    const live = await server.client.resource(Deployment).namespace('shop').get('web');
    assert.equal(live.spec.replicas, 4, 'a check changes nothing');
    // The controllers write the status all the time, which is not a conflict.
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('Applied.').waitFor();
    const mended = await server.client.resource(Deployment).namespace('shop').get('web');
    assert.equal(mended.spec.replicas, 5);
    assert.equal(
      mended.metadata.managedFields.find(({ manager }) => manager === 'binnacle-console')?.operation,
      'Update',
    );
  });

  it('shows nodes, and acts on them by keys', async () => {
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.keyboard.press('4');
    const nodes = page.getByRole('application');
    await nodes.focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.locator('.node-side', { hasText: 'node-1' }).waitFor();
    await picture(page, 'nodes');
    assert.deepEqual(await accessibilityFaults(page), []);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'node-1' }).waitFor();
    await page.keyboard.press('Escape');
  });

  it('shows the load, and all keys', async () => {
    await page.keyboard.press('5');
    await page.getByText('Open watches').waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    assert.deepEqual(await accessibilityFaults(page), []);
    await page.keyboard.press('Escape');
    await page.getByText('Watches by resource').waitFor();
    await picture(page, 'load');
    assert.deepEqual(await accessibilityFaults(page), []);
  });

  it('follows the log of a pod', async () => {
    await page.keyboard.press('1');
    await line('search').locator('visible=true').filter({ hasText: 'Pod' }).first().click();
    await page.keyboard.press('g');
    const log = page.getByRole('log', { name: 'Log' });
    await log.getByText(/\S/).waitFor();
    await picture(page, 'log');
    assert.deepEqual(await accessibilityFaults(page), []);
    await page.keyboard.press('Escape');
  });

  it('switches faults on and off', async () => {
    await page.keyboard.press('7');
    await page.getByRole('heading', { name: 'No faults' }).waitFor();
    const form = page.locator('.fault-form');
    await form.getByRole('combobox', { name: 'Requests', exact: true }).selectOption('create');
    await form.getByLabel('Resource').fill('configmaps');
    await form
      .getByRole('combobox', { name: 'What happens', exact: true })
      .selectOption('answer 503 Service Unavailable');
    await form.getByLabel('At most (times)').fill('');
    await page.getByRole('button', { name: 'Switch on' }).click();
    await page.getByText('create of configmaps → answer 503').waitFor();
    const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'refused' } };
    const maps = server.client.resource({ group: '', version: 'v1', resource: 'configmaps' }).namespace('shop');
    await assert.rejects(maps.create(configMap), { code: 503 });
    await page.getByText('has acted 1 time').waitFor();
    await picture(page, 'faults');
    assert.deepEqual(await accessibilityFaults(page), []);
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('heading', { name: 'No faults' }).waitFor();
    await maps.create(configMap);
  });

  it('hides the values of Secrets until asked', async () => {
    await server.client
      .resource({ group: '', version: 'v1', resource: 'secrets' })
      .namespace('shop')
      .create({ metadata: { name: 'key' }, data: { password: 'c2VjcmV0' } });
    await page.keyboard.press('/');
    await page.keyboard.type('secret key');
    await page.getByRole('option', { name: /Secret.*key.*shop/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.keyboard.press('y');
    await page.getByText('••••••••').waitFor();
    assert.ok(!(await page.content()).includes('c2VjcmV0'));
    await page.getByRole('button', { name: 'Show the values' }).click();
    await page.getByText('c2VjcmV0').waitFor();
    await page.keyboard.press('Escape');
  });

  it('is as accessible in the light', async () => {
    await page.keyboard.press('t');
    await page.keyboard.press('1');
    await line('web').first().waitFor();
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'light');
    assert.deepEqual(await accessibilityFaults(page), []);
    await picture(page, 'light');
    await line('web').first().click();
    await page.locator('.yaml-line').first().waitFor();
    assert.deepEqual(await accessibilityFaults(page), []);
    await page.keyboard.press('Escape');
  });

  it('says what it needs when it has no session', async () => {
    const other = await page.context().browser().newContext();
    const stranger = await other.newPage();
    await stranger.goto(new URL(page.url()).origin);
    await stranger.getByText('This page has no session.').waitFor();
    await other.close();
  });

  it('has broken no policy and thrown no error', () => {
    // The server refuses a write with a status that Chromium counts as an error of the page.
    const others = opened.problems.filter((text) => !/status of (409|422)/.test(text));
    assert.deepEqual(others, []);
  });
});
