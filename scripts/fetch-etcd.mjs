/** Unpacks Debian 12's etcd-server, which tests run, into .cache/etcd-debian. Prints the path of the binary. */
import { spawnSync } from 'node:child_process';
import { unpackDebian } from './unpack-debian.mjs';

unpackDebian({
  script: 'fetch-etcd',
  packageName: 'etcd-server',
  folder: 'etcd-debian',
  binary: 'usr/bin/etcd',
  wantedVersion: '3.4.',
  versionOf: (binary) => {
    const { stdout } = spawnSync(binary, ['--version'], { encoding: 'utf8' });
    return /etcd Version: (\S+)/.exec(stdout ?? '')?.[1];
  },
});
