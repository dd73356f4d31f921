import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect, DynamicClient } from '@binnacle/client';
import { eventually } from '@binnacle/client/testing';
import { makeTestCertificate } from '../../../packages/apiserver/dist/testing/test-certificate.js';
import { builtKubeApiserver } from '../components/build.mjs';
import { writeKubeconfig, writeSigningKey } from '../components/credentials.mjs';
import { Program } from '../components/program.mjs';
import { freePort } from '../ports.mjs';

const TOKEN = 'administrator';
const START_MS = 120_000;

/** Upstream's API server, unmodified, over an etcd. Its files are in a folder that the caller owns. */
export class KubeApiserver {
  #program;
  #transport;

  /** Resolves when it is ready. `etcd`: an endpoint. `flags`: further ones. */
  static async start({ folder, etcd, flags = [] }) {
    const binary = await builtKubeApiserver();
    const port = await freePort();
    const file = (name, content) => {
      writeFileSync(join(folder, name), content);
      return join(folder, name);
    };
    const key = join(folder, 'accounts.key');
    await writeSigningKey(key);
    const serving = makeTestCertificate('/CN=upstream', { alternativeNames: 'IP:127.0.0.1' });
    const frontProxy = makeTestCertificate('/CN=front-proxy');
    const server = new KubeApiserver();
    server.#program = new Program(
      'kube-apiserver',
      [
        binary,
        `--etcd-servers=${etcd}`,
        `--secure-port=${port}`,
        '--bind-address=127.0.0.1',
        // It refuses to announce an address of loopback.
        '--advertise-address=192.0.2.1',
        `--tls-cert-file=${file('serving.crt', serving.certificate)}`,
        `--tls-private-key-file=${file('serving.key', serving.privateKey)}`,
        `--token-auth-file=${file('tokens.csv', `${TOKEN},administrator,administrator,system:masters\n`)}`,
        '--authorization-mode=RBAC',
        '--service-account-issuer=https://kubernetes.default.svc',
        `--service-account-key-file=${key}`,
        `--service-account-signing-key-file=${key}`,
        '--service-cluster-ip-range=10.0.0.0/24',
        `--requestheader-client-ca-file=${file('front-proxy-ca.crt', frontProxy.certificate)}`,
        '--requestheader-allowed-names=front-proxy',
        '--requestheader-username-headers=X-Remote-User',
        '--requestheader-group-headers=X-Remote-Group',
        '--requestheader-extra-headers-prefix=X-Remote-Extra-',
        `--proxy-client-cert-file=${file('front-proxy.crt', frontProxy.certificate)}`,
        `--proxy-client-key-file=${file('front-proxy.key', frontProxy.privateKey)}`,
        ...flags,
      ],
      { logFile: join(folder, 'kube-apiserver.log') },
    );
    const url = `https://127.0.0.1:${port}`;
    server.kubeconfig = join(folder, 'kubeconfig');
    await writeKubeconfig(server.kubeconfig, { server: url, authorityFile: join(folder, 'serving.crt'), token: TOKEN });
    server.#transport = connect({ server: url, certificateAuthority: serving.certificate, token: TOKEN });
    server.client = new DynamicClient(server.#transport);
    await eventually(
      async () => {
        server.#program.assertUnbroken();
        await server.client.resource({ group: '', version: 'v1', resource: 'namespaces' }).get('default');
      },
      { timeout: START_MS },
    );
    return server;
  }

  /** Without its etcd, it would not end by itself. */
  async [Symbol.asyncDispose]() {
    await this.#transport.close();
    await this.#program.stop('SIGKILL');
  }
}
