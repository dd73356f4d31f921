import { sleep } from '@binnacle/apimachinery/clock';
import { X509Certificate } from 'node:crypto';
import { readdir, readFile, stat, statfs } from 'node:fs/promises';
import { createServer } from 'node:net';
import { totalmem } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { certificateBlocks } from '@binnacle/apimachinery/certificaterequests';
import { hasErrorCode, messageOf } from '@binnacle/apimachinery/errors';
import { completeOptions, openStore, readInputFiles, type StartConfig } from '../embed/index.js';
import type { Parts, StartOptions } from '../embed/index.js';
import { dataDirectoryLayout, describeFileError } from '../files/index.js';
import type { CertificateFact, DirectoryFact, EtcdFact, Facts, PortFact } from './facts.js';

const ETCD_MS = 5000;
/** The command line's default. */
const SECURE_PORT = 6443;

type Sources = Pick<Parts, 'clock' | 'random'>;

/** Reads everything that {@link Facts} has about a set-up. It changes nothing, and rejects only for a defect. */
export async function gatherFacts(options: StartOptions, sources: Sources): Promise<Facts> {
  const { clock } = sources;
  const { bindAddress = '127.0.0.1', securePort = SECURE_PORT } = options;
  const machine = {
    nodeVersion: process.versions.node,
    now: clock.now(),
    port: await portFact(bindAddress, securePort),
    memory: { limitBytes: memoryLimit(), chosenBytes: options.maxMemoryBytes },
    openFiles: await openFilesLimit(),
  };
  try {
    const config = completeOptions(options);
    const directory = config.dataDirectory === undefined ? undefined : resolve(config.dataDirectory);
    return {
      ...machine,
      optionsFault: await faultOf(readInputFiles(config, clock)),
      directory: directory === undefined ? undefined : await directoryFact(directory),
      certificates: await certificateFacts(config, directory),
      etcd: await etcdFact(config, sources),
    };
  } catch (error) {
    return { ...machine, optionsFault: reasonOf(error), certificates: [] };
  }
}

/** Whether a server could listen there. */
async function portFact(address: string, port: number): Promise<PortFact> {
  const server = createServer();
  return new Promise((done) => {
    server.once('error', (error: NodeJS.ErrnoException) => done({ address, port, errorCode: error.code ?? 'unknown' }));
    server.listen({ host: address, port, exclusive: true }, () => server.close(() => done({ address, port })));
  });
}

/** The limit of the cgroup, if it has one, and the machine's memory otherwise. */
function memoryLimit(): number {
  const total = totalmem();
  const limit = process.constrainedMemory();
  return limit > 0 && limit < total ? limit : total;
}

async function openFilesLimit(): Promise<number | undefined> {
  const text = await readFile('/proc/self/limits', 'utf8').catch(() => '');
  const found = /^Max open files +([0-9]+)/m.exec(text)?.[1];
  return found === undefined ? undefined : Number(found);
}

async function directoryFact(path: string): Promise<DirectoryFact> {
  const freeBytes = await freeBytesAt(path);
  try {
    const { mode } = await stat(path);
    const store = dataDirectoryLayout(path).store;
    const names = await readdir(store).catch(() => []);
    const files = await Promise.all(names.map((name) => stat(join(store, name))));
    return {
      path,
      mode,
      freeBytes,
      newestFile: files.length === 0 ? undefined : Math.max(...files.map(({ mtimeMs }) => mtimeMs)),
      storeBytes: files.reduce((sum, { size }) => sum + size, 0),
    };
  } catch (error) {
    return hasErrorCode(error, 'ENOENT') ? { path, freeBytes } : { path, freeBytes, fault: reasonOf(error) };
  }
}

/** Of the file system that the directory is on, or will be on. */
async function freeBytesAt(path: string): Promise<number | undefined> {
  for (let existing = path; ; existing = dirname(existing)) {
    try {
      const { bavail, bsize } = await statfs(existing);
      return bavail * bsize;
    } catch {
      if (dirname(existing) === existing) return undefined;
    }
  }
}

async function certificateFacts(config: StartConfig, directory: string | undefined): Promise<CertificateFact[]> {
  const given = [
    ['--tls-cert-file', config.tlsCertFile],
    ['--client-ca-file', config.clientCAFile],
    ['--proxy-client-cert-file', config.proxyClientCertFile],
    ['--requestheader-client-ca-file', config.requestheaderClientCAFile],
    ['--kubelet-client-certificate', config.kubeletClientCertificate],
    ['--kubelet-certificate-authority', config.kubeletCertificateAuthority],
    ['--cluster-signing-cert-file', config.clusterSigningCertFile],
    ['--etcd-cafile', config.etcdCAFile],
    ['--etcd-certfile', config.etcdCertFile],
  ] as const;
  const pki = directory === undefined ? undefined : dataDirectoryLayout(directory).certificates;
  const own = pki === undefined ? [] : (await readdir(pki).catch(() => [])).filter((name) => name.endsWith('.crt'));
  const facts = await Promise.all([
    ...given.map(([flag, path]) => (path === undefined ? [] : certificatesIn(path, flag, false))),
    ...own.map((name) => (pki === undefined ? [] : certificatesIn(join(pki, name), name, true))),
  ]);
  return facts.flat();
}

/** A file that holds none, or cannot be read, is a fault of the options. */
async function certificatesIn(path: string, source: string, renewed: boolean): Promise<CertificateFact[]> {
  const text = await readFile(path, 'utf8').catch(() => '');
  const blocks = certificateBlocks(text);
  return blocks.flatMap((block) => {
    try {
      const { subject, validFrom, validTo } = new X509Certificate(block);
      const times = { validFrom: Date.parse(validFrom), validTo: Date.parse(validTo) };
      return [{ source, subject: subject.replaceAll('\n', ', '), renewed, ...times }];
    } catch {
      return [];
    }
  });
}

async function etcdFact(config: StartConfig, { clock, random }: Sources): Promise<EtcdFact | undefined> {
  if (config.etcdServers === undefined) return undefined;
  const endpoints = config.etcdServers;
  try {
    const files = await readInputFiles(config, clock);
    if (files.etcd === undefined) return undefined;
    const location = { type: 'etcd', options: files.etcd.connection } as const;
    await using kv = await openStore(location, { clock, random });
    const late = sleep(clock, ETCD_MS).then(() => {
      throw new Error(`no answer in ${ETCD_MS / 1000} s`);
    });
    const asked = kv.checkHealth().then(() => kv.status());
    const { sizeBytes } = await Promise.race([asked, late]);
    return { endpoints, sizeBytes };
  } catch (error) {
    return { endpoints, fault: reasonOf(error) };
  }
}

async function faultOf(work: Promise<unknown>): Promise<string | undefined> {
  try {
    await work;
    return undefined;
  } catch (error) {
    return reasonOf(error);
  }
}

function reasonOf(error: unknown): string {
  return describeFileError(error) ?? messageOf(error);
}
