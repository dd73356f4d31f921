/** The GitHub Action and the GitLab template, from packed packages, in an empty folder: their steps run as the hosts run them. */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { parseYaml } from '@binnacle/apimachinery/yaml';
import { packAll } from '../repository/packed.mjs';
import { inEmptyFolder, repository } from './kits.mjs';
import { run, unlessAsked } from './programs.mjs';

const skip = unlessAsked('pipelines', true);
const read = (path) => parseYaml(readFileSync(join(repository, 'deploy', path), 'utf8')).value;

/** What the host tells each step of, and reads what the step has written. */
class Runner {
  #folder;
  #added = {};
  #outputs = {};
  #path = process.env.PATH;

  constructor(folder) {
    this.#folder = folder;
  }

  /** Runs the steps of a composite action that have a script. Resolves with the outputs of the action. */
  async run({ inputs: declared, runs, outputs }, given) {
    const inputs = Object.fromEntries(Object.entries(declared).map(([name, { default: usual }]) => [name, usual]));
    const values = { inputs: { ...inputs, ...given }, runner: { temp: this.#folder }, steps: this.#outputs };
    for (const step of runs.steps) {
      if (step.run === undefined || !holds(step.if, values)) continue;
      await this.#script(step, values);
    }
    return Object.fromEntries(Object.entries(outputs).map(([name, { value }]) => [name, filled(value, values)]));
  }

  /** Runs a later step of the same job. */
  later(script) {
    return this.#bash(script, {});
  }

  async #script({ id = '', run: script, shell, env = {} }, values) {
    assert.equal(shell, 'bash');
    const names = ['GITHUB_ENV', 'GITHUB_PATH', 'GITHUB_OUTPUT'];
    const files = Object.fromEntries(names.map((name) => [name, join(this.#folder, name)]));
    for (const file of Object.values(files)) writeFileSync(file, '');
    const own = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, filled(value, values)]));
    await this.#bash(script, { ...own, ...files, RUNNER_TEMP: this.#folder });
    const [added, paths, output] = names.map((name) => readFileSync(files[name], 'utf8').split('\n').filter(Boolean));
    Object.assign(this.#added, settings(added));
    for (const path of paths) this.#path = `${path}:${this.#path}`;
    this.#outputs[id] = { outputs: settings(output) };
  }

  #bash(script, env) {
    const all = { XDG_DATA_HOME: join(this.#folder, 'data'), ...this.#added, ...env, PATH: this.#path };
    return run('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script], { cwd: this.#folder, env: all });
  }
}

const settings = (lines) => Object.fromEntries(lines.map((line) => /^([^=]+)=(.*)$/.exec(line).slice(1)));

/** The value of `inputs.name`; empty when there is none, as for the host. */
const valueOf = (path, values) => path.split('.').reduce((value, name) => value?.[name], values) ?? '';

const filled = (text, values) => String(text).replace(/\$\{\{ ([\w.-]+) \}\}/g, (_, path) => valueOf(path, values));

/** Of the conditions, this action has `inputs.name != ''` alone. */
function holds(condition, values) {
  if (condition === undefined) return true;
  const [, path] = /^([\w.-]+) != ''$/.exec(condition) ?? assert.fail(condition);
  return valueOf(path, values) !== '';
}

const CHECK = `binnacle version
test -f "$BINNACLE_PATH"
"$KUBEBUILDER_ASSETS/kube-apiserver" --help > /dev/null
"$TEST_ASSET_ETCD" --help > /dev/null
test -x "$TEST_ASSET_KUBE_APISERVER"`;

describe('pipelines', { skip, timeout: 15 * 60_000 }, () => {
  let packed = '';
  let packages = '';
  before(async () => {
    packed = mkdtempSync(join(tmpdir(), 'packed-'));
    packages = `${packed}/*.tgz`;
    await packAll(packed);
  });
  after(() => rmSync(packed, { recursive: true }));

  it('the GitHub Action sets up the command and envtest, and starts a cluster', () =>
    inEmptyFolder(async (folder) => {
      const action = read('github-action/action.yml');
      const alone = new Runner(folder);
      const { path, kubeconfig } = await alone.run(action, { packages });
      assert.ok(existsSync(path), path);
      assert.equal(kubeconfig, '');
      assert.match(await alone.later(CHECK), /^Binnacle /);
      const runner = new Runner(folder);
      const started = await runner.run(action, { packages, cluster: 'ci' });
      try {
        assert.equal(started.kubeconfig, join(folder, 'binnacle/kubeconfig'));
        await runner.later('test "$KUBECONFIG" = "$(pwd)/binnacle/kubeconfig" && binnacle log');
      } finally {
        await runner.later('binnacle cluster delete ci');
      }
    }));

  it('the GitLab template does the same', () =>
    inEmptyFolder(async (folder) => {
      const { '.binnacle': job } = read('binnacle.gitlab-ci.yml');
      const env = {
        ...job.variables,
        BINNACLE_PACKAGES: packages,
        BINNACLE_CLUSTER: 'ci',
        CI_PROJECT_DIR: folder,
        XDG_DATA_HOME: join(folder, 'data'),
      };
      const end = 'trap "binnacle cluster delete ci" EXIT';
      const script = [...job.before_script, end, CHECK, 'binnacle log'].join('\n');
      assert.match(await run('sh', ['-ec', script], { cwd: folder, env }), /^Binnacle /m);
    }));
});
