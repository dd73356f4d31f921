/** The programs that images of upstream's suite hold, and how to run each as a process beside others of this machine. */
import { join } from 'node:path';
import { etcdBinaries } from '@binnacle/kv/testing';
import { binaries } from '../components/build.mjs';

const webhooks = ['webhook', 'crd-conversion-webhook'];

/** By the last part of the image's name. Each returns a command, or undefined when a hollow container will do. */
const images = {
  agnhost: ({ args = [] }, { port }) =>
    webhooks.includes(args[0])
      ? [join(binaries, 'agnhost'), ...args.map((parameter) => parameter.replace(/^--port=.*/, `--port=${port}`))]
      : undefined,

  'sample-apiserver': ({ args = [] }, { port, etcdPort }) => [
    join(binaries, 'sample-apiserver'),
    ...args.map((parameter) => parameter.replace(/^--etcd-servers=.*/, `--etcd-servers=http://127.0.0.1:${etcdPort}`)),
    `--secure-port=${port}`,
    '--bind-address=127.0.0.1',
  ],

  etcd: (_container, { etcdPort, folder }) => [
    etcdBinaries().at(-1)?.path ?? 'etcd',
    `--data-dir=${join(folder, 'etcd')}`,
    `--listen-client-urls=http://127.0.0.1:${etcdPort}`,
    `--advertise-client-urls=http://127.0.0.1:${etcdPort}`,
    '--listen-peer-urls=http://127.0.0.1:0',
  ],
};

/** The command of a container, with Secrets in `folder`, `folder/VOLUME/KEY`; undefined when nothing calls its program. */
export function commandOf(container, settings) {
  const [, name] = /([^/:]+):[^/]*$/.exec(container.image) ?? [];
  return images[name]?.(container, settings)?.map((parameter) => withoutMounts(parameter, container, settings.folder));
}

/**
 * Programs look for their account at a fixed path: in a mount namespace of its own, each finds its own there. One that ends is started
 * again, as a kubelet does: some of upstream's count on that.
 */
const asInPod = `
  set -e
  mount -t tmpfs tmpfs /run
  mkdir -p /run/secrets/kubernetes.io
  ln -s "$0" /run/secrets/kubernetes.io/serviceaccount
  trap 'kill $program; wait $program; exit' TERM
  while :; do "$@" & program=$!; wait $program || sleep 1; done`;

const inPod = ['unshare', '--user', '--map-root-user', '--mount', 'sh', '-c', asInPod];

/** The command with an account, a folder of its token, authority and namespace. */
export const withAccount = (command, account) => [...inPod, account, ...command];

function withoutMounts(parameter, { volumeMounts = [] }, folder) {
  return volumeMounts.reduce(
    (text, { name, mountPath }) => text.replace(`=${mountPath}/`, `=${join(folder, name)}/`),
    parameter,
  );
}
