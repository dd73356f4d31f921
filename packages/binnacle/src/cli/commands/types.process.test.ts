import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { JsonObject } from '@binnacle/apimachinery/json';
import { DynamicClient } from '@binnacle/client/dynamic';
import { connect } from '@binnacle/client/transport';
import { start } from '../../embed/index.js';
import { parseDocuments } from '../../types/index.js';

const main = fileURLToPath(new URL('../../../bundle/cli/main.js', import.meta.url));

const definition = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
spec:
  group: example.com
  names: {kind: Widget, plural: widgets}
  scope: Namespaced
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
`;

describe('binnacle types', () => {
  let directory = '';
  before(() => {
    directory = mkdtempSync(join(tmpdir(), 'types-'));
    writeFileSync(join(directory, 'crd.yaml'), definition);
    writeFileSync(join(directory, 'pod.yaml'), 'kind: Pod\n');
  });
  after(() => rmSync(directory, { recursive: true }));
  const run = (input: string, ...args: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [main, 'types', ...args], {
      cwd: directory,
      encoding: 'utf8',
      input,
    });
    return { status, stdout, stderr };
  };

  it('prints types, and verifies a file', () => {
    const written = run('', 'crd.yaml', 'pod.yaml');
    assert.deepEqual({ ...written, stdout: '' }, { status: 0, stdout: '', stderr: '' });
    assert.match(written.stdout, /^export const WidgetV1: ResourceType<WidgetV1> = \{$/m);
    assert.deepEqual(run(definition, '-'), written);

    const quiet = { status: 0, stdout: '', stderr: '' };
    writeFileSync(join(directory, 'types.ts'), written.stdout);
    assert.deepEqual(run('', 'crd.yaml', '--verify', 'types.ts'), quiet);
    writeFileSync(join(directory, 'types.ts'), written.stdout.replaceAll('\n', '\r\n'));
    assert.deepEqual(run('', '--verify=types.ts', 'crd.yaml'), quiet);

    const stale = (line: number) => ({
      status: 1,
      stdout: '',
      stderr: `binnacle: types.ts is stale: line ${line} differs from the definitions; run binnacle types without --verify to update the file\n`,
    });
    writeFileSync(join(directory, 'types.ts'), written.stdout.replace('example.com/v1', 'example.com/v2'));
    assert.deepEqual(run('', 'crd.yaml', '--verify', 'types.ts'), stale(4));
    writeFileSync(join(directory, 'types.ts'), `${written.stdout}more\n`);
    assert.equal(run('', 'crd.yaml', '--verify', 'types.ts').status, 1);
    writeFileSync(join(directory, 'types.ts'), '');
    assert.deepEqual(run('', 'crd.yaml', '--verify', 'types.ts'), stale(1));
  });

  it('reads the definitions of a server', async () => {
    await using server = await start({ inMemory: true });
    await using transport = connect(server.clientConfig);
    const client = new DynamicClient(transport);
    const resource = { group: 'apiextensions.k8s.io', version: 'v1', resource: 'customresourcedefinitions' };
    const [object] = parseDocuments('crd.yaml', definition);
    await client.resource<JsonObject>(resource).create({ ...object, metadata: { name: 'widgets.example.com' } });
    writeFileSync(join(directory, 'kubeconfig'), server.kubeconfig);
    const environment = { ...process.env, KUBECONFIG: join(directory, 'kubeconfig') };
    const types = async (...args: readonly string[]) => {
      const child = spawn(process.execPath, [main, 'types', '--from-server', ...args], { env: environment });
      const [output, problem] = await Promise.all([text(child.stdout), text(child.stderr)]);
      return { output, problem };
    };
    assert.deepEqual(await types(), { output: run('', 'crd.yaml').stdout, problem: '' });
    const wrong = await types('--context', 'absent');
    assert.equal(wrong.output, '');
    assert.match(wrong.problem, /^binnacle: [^\n]*absent[^\n]*\n$/);
  });

  it('ends silently when the reader closes the pipe', async () => {
    const child = spawn(process.execPath, [main, 'types', 'crd.yaml'], {
      cwd: directory,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.destroy();
    let problem = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (problem += text));
    await once(child, 'close');
    assert.deepEqual({ code: child.exitCode, problem }, { code: 0, problem: '' });
  });

  it('reports an error in one line', () => {
    writeFileSync(join(directory, 'template.yaml'), 'a: {{ b }}\n');
    const failures: readonly [readonly string[], RegExp][] = [
      [['absent.yaml'], /^binnacle: absent.yaml: no such file or directory\n$/],
      [['.'], /^binnacle: [^\n]*it is a directory\n$/],
      [['crd.yaml', '--verify', 'absent.ts'], /^binnacle: absent.ts: no such file or directory\n$/],
      [['pod.yaml', '-'], /^binnacle: no CustomResourceDefinition in pod.yaml, standard input\n$/],
      [['crd.yaml', 'crd.yaml'], /^binnacle: widgets.example.com is defined twice\n$/],
      [['template.yaml'], /^binnacle: template.yaml: document 1: yaml: [^\n]*\n$/],
    ];
    for (const [args, pattern] of failures) {
      const { status, stdout, stderr } = run('', ...args);
      assert.match(stderr, pattern);
      assert.deepEqual({ status, stdout }, { status: 1, stdout: '' });
    }
  });
});
