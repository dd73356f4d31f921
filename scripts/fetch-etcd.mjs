/**
 * Unpacks the etcds that tests run: Debian 12's into .cache/etcd-debian, and, where it can be had, Debian 13's, which can be
 * trusted with progress requests, into .cache/etcd-debian-13. Prints the paths of the binaries.
 */
import { spawnSync } from 'node:child_process';
import { giveUp, unpackDebian } from './unpack-debian.mjs';

const POOL = 'http://deb.debian.org/debian/pool/main/e/etcd';
/** By the names of Node.js: those of Debian, and the digests of its index of packages. */
const newer = {
  x64: { name: 'amd64', sha256: '0875921bb0d023f2af9b8e15cdfbe417a03e65731345fb832c40f9c2dd72967b' },
  arm64: { name: 'arm64', sha256: '5e21469a4f59f1cb2ed7af9c6eb9dda7d9734809c011cfa8a39b34f82a161a32' },
}[process.arch];

const etcd = {
  packageName: 'etcd-server',
  binary: 'usr/bin/etcd',
  versionOf: (binary) => {
    const { stdout } = spawnSync(binary, ['--version'], { encoding: 'utf8' });
    return /etcd Version: (\S+)/.exec(stdout ?? '')?.[1];
  },
};

console.log(await unpackDebian({ ...etcd, folder: 'etcd-debian', wantedVersion: '3.4.' }).catch(giveUp('fetch-etcd')));
if (newer !== undefined) {
  const archive = { url: `${POOL}/etcd-server_3.5.16-4_${newer.name}.deb`, sha256: newer.sha256 };
  try {
    console.log(await unpackDebian({ ...etcd, archive, folder: 'etcd-debian-13', wantedVersion: '3.5.' }));
  } catch (error) {
    console.error(`fetch-etcd: tests do without etcd 3.5, for ${error.message}`);
  }
}
