import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseYaml } from '@binnacle/apimachinery/yaml';
import { makeKubeconfig } from '../index.js';
import { withEntries, withoutEntries } from './index.js';

const parts = { server: 'https://127.0.0.1:1', certificateAuthority: 'ca', clientCertificate: 'c', clientKey: 'k' };
const name = 'binnacle-dev';
const dev = makeKubeconfig(parts, { cluster: name, user: name, context: name });

/** As a person would write it. */
const own = `# my clusters
apiVersion: v1
kind: Config
preferences: {}
current-context: "work"   # the one at work
clusters:
  # do not touch
  - name: work
    cluster: {server: 'https://work.example'}

contexts:
- context:
    cluster: work
    user: 'me'
  name: work
# the people
users:
- name: me
  user:
    exec:
      apiVersion: client.authentication.k8s.io/v1
      command: login
      args:
      - --fast
      interactiveMode: Never
x-note: |
  clusters: none
`;

const valueOf = (text: string) => parseYaml(text).value;

describe('entries in a kubeconfig', () => {
  it('are added below the others, whose lines stay, and removed again', () => {
    const added = withEntries(own, dev);
    const lines = added.split('\n');
    const changed = own.split('\n').filter((line) => !lines.includes(line));
    assert.deepEqual(changed, ['current-context: "work"   # the one at work']);
    assert.ok(added.includes(`    cluster: {server: 'https://work.example'}\n  - cluster:\n`), added);
    assert.ok(added.includes('- --fast\n      interactiveMode: Never\n- name: binnacle-dev\n'), added);
    assert.ok(added.includes('current-context: binnacle-dev\n'), added);
    assert.equal(withEntries(added, dev), added);
    assert.equal(
      withoutEntries(added, name),
      own.replace('current-context: "work"   # the one at work', 'current-context: ""'),
    );
  });

  it('replace those of their name', () => {
    const first = withEntries(own, dev);
    const second = withEntries(
      first,
      makeKubeconfig({ ...parts, server: 'https://127.0.0.1:2' }, { cluster: name, user: name, context: name }),
    );
    assert.equal(second, first.replace('https://127.0.0.1:1', 'https://127.0.0.1:2'));
  });

  it('start a file, and leave it empty', () => {
    const added = withEntries('', dev);
    assert.deepEqual(valueOf(added), valueOf(dev));
    const removed = withoutEntries(added, name);
    assert.deepEqual(valueOf(removed), {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [],
      users: [],
      contexts: [],
      'current-context': '',
    });
    assert.deepEqual(valueOf(withEntries(removed, dev)), valueOf(dev));
  });

  it('keep another current context when they are removed', () => {
    const added = withEntries(own, dev).replace('current-context: binnacle-dev', 'current-context: work');
    assert.match(withoutEntries(added, name), /^current-context: work$/m);
    assert.equal(withoutEntries(own, name), own);
  });

  it('can be added where the lists are not in block style, such as JSON', () => {
    const shapes = [
      JSON.stringify(valueOf(own)),
      '{apiVersion: v1, kind: Config, clusters: [{name: work, cluster: {server: x}}]}',
      'clusters: null\nusers: []\ncontexts: ~ # none\n',
      'clusters:\n- &a\n  name: work\n  cluster: &c {server: x}\n- {name: alias, cluster: *c}\n',
      'clusters: [\n{name: work, cluster: {server: x}}]\n',
      '"clusters":\n- {name: work, cluster: {server: x}}\n',
      'kind: Config',
    ];
    for (const shape of shapes) {
      const [before, after] = [valueOf(shape), valueOf(withEntries(shape, dev))];
      const entries = (value: unknown): unknown[] =>
        typeof value === 'object' && value !== null && 'clusters' in value && Array.isArray(value.clusters)
          ? value.clusters
          : [];
      assert.deepEqual(entries(after).slice(0, -1), entries(before), shape);
      assert.deepEqual(entries(after).at(-1), entries(valueOf(dev))[0], shape);
      assert.deepEqual(entries(valueOf(withoutEntries(withEntries(shape, dev), name))), entries(before), shape);
    }
  });

  it('are refused where the text is not a kubeconfig', () => {
    assert.throws(() => withEntries('- a\n', dev), /not a kubeconfig/);
    assert.throws(() => withoutEntries('clusters: yes\n', name), /its clusters are not a list/);
  });
});
