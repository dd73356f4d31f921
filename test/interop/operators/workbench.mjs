import { mkdtempSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseYaml } from '@binnacle/apimachinery/yaml';
import { connect, DiscoveryClient, DynamicClient, loadConfig, RestMapper } from '@binnacle/client';
import { CustomResourceDefinition } from '@binnacle/client/kinds/apiextensions/v1';
import { ServiceAccount } from '@binnacle/client/kinds/core/v1';
import { eventually, waitFor } from '@binnacle/client/testing';
import { PATIENT } from '../components/cluster.mjs';
import { writeKubeconfig } from '../components/credentials.mjs';
import { hasCondition } from '../components/objects.mjs';
import { Program } from '../components/program.mjs';
import { withServer } from '../programs.mjs';

/** A server, and the programs that a test runs beside it. */
class Workbench {
  #programs = [];
  #logs;
  #config;
  #mapper;

  constructor({ kubeconfig, config, transport, folder, logs }) {
    this.kubeconfig = kubeconfig;
    this.folder = folder;
    this.#logs = logs;
    this.#config = config;
    this.client = new DynamicClient(transport);
    this.#mapper = new RestMapper(new DiscoveryClient(transport));
  }

  /** Starts a program that goes on until the end: `--FLAG=VALUE` of each flag, of each value of a list. */
  run(name, binary, flags, environment = {}) {
    const parameters = Object.entries(flags).flatMap(([flag, value]) =>
      [value].flat().map((one) => `--${flag}=${one}`),
    );
    const program = new Program(name, [binary, ...parameters], {
      logFile: join(this.#logs, `${name}.log`),
      environment: { TMPDIR: this.folder, ...environment },
    });
    this.#programs.push(program);
    return program;
  }

  /** {@link eventually}, and no program has ended meanwhile. */
  eventually(check) {
    return eventually(async () => {
      for (const program of this.#programs) program.assertUnbroken();
      return check();
    }, PATIENT);
  }

  /** Creates an object of any kind that the server has; definitions can be used afterwards. */
  async create(object) {
    const created = await (await this.resourceOf(object)).create(object);
    if (object.kind === 'CustomResourceDefinition') {
      const definitions = this.client.resource(CustomResourceDefinition);
      await waitFor(definitions, object.metadata.name, hasCondition('Established'), PATIENT);
    }
    return created;
  }

  /** The resource of an object's kind, in the object's namespace. Waits until the server has it. */
  async resourceOf({ apiVersion, kind, metadata }) {
    const [version, group = ''] = apiVersion.split('/').reverse();
    const query = { group, version, kind };
    const { resource, namespaced } = await eventually(() => this.#mapper.resourceForKind(query), PATIENT);
    const all = this.client.resource(resource);
    return namespaced ? all.namespace(metadata.namespace ?? 'default') : all;
  }

  /** A kubeconfig of a service account. */
  async kubeconfigOf(namespace, name) {
    const accounts = this.client.resource(ServiceAccount).namespace(namespace);
    const { status } = await accounts.token.create(name, { spec: { audiences: [] } });
    const file = join(this.folder, `${name}.kubeconfig`);
    const authorityFile = join(this.folder, 'ca.crt');
    await writeFile(authorityFile, this.#config.certificateAuthority);
    await writeKubeconfig(file, { server: this.#config.server, authorityFile, token: status.token });
    return file;
  }

  async stop() {
    await Promise.all(this.#programs.map((program) => program.stop('SIGKILL')));
  }
}

/** Runs `use` with a server of its own, or with the one of `INTEROP_KUBECONFIG`, a cluster on this machine. */
export async function withWorkbench({ logs }, use) {
  await mkdir(logs, { recursive: true });
  const named = process.env.INTEROP_KUBECONFIG;
  if (named !== undefined) return onServer(named, logs, use);
  await withServer((kubeconfig) => onServer(kubeconfig, logs, use));
}

async function onServer(kubeconfig, logs, use) {
  const config = await loadConfig({ path: kubeconfig });
  const folder = mkdtempSync(join(tmpdir(), 'operators-'));
  const transport = connect(config);
  const workbench = new Workbench({ kubeconfig, config, transport, folder, logs });
  try {
    await use(workbench);
  } finally {
    await workbench.stop();
    await transport.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** The objects of a file, by kind or all. */
export async function objectsIn(file) {
  const texts = (await readFile(file, 'utf8')).split(/^---$/m);
  return texts.map((text) => parseYaml(text).value).filter((object) => object !== null);
}

/**
 * A Service that is a program of this machine, as one outside of a cluster is. What calls it names the program's port, and checks the
 * certificate for the Service's name.
 */
export const localService = (namespace, name) => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { namespace, name },
  spec: { type: 'ExternalName', externalName: 'localhost' },
});

export const namespaceNamed = (name, labels = {}) => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name, labels },
});
