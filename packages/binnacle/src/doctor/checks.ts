import type { CertificateFact, Facts } from './facts.js';

/** `problem`: a server does not start or does not work. `warning`: it may not work for long. */
export type Severity = 'ok' | 'warning' | 'problem';

export interface Finding {
  readonly subject: string;
  readonly severity: Severity;
  /** One sentence, with the remedy. */
  readonly text: string;
}

type Verdict = readonly [severity: Severity, text: string];
type Check = (facts: Facts) => readonly Verdict[];

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;
const DAY_MS = 24 * 60 * 60_000;
const LEAST_NODE = [20, 19] as const;
/** No clock that is right shows less. */
const RELEASED = Date.UTC(2026, 0, 1);

/** Every subject, in the order of the report. */
const checks: Readonly<Record<string, Check>> = {
  node: checkNode,
  clock: checkClock,
  options: ({ optionsFault: fault }) => [
    fault === undefined ? ok('the options and their files are right') : problem(fault),
  ],
  port: checkPort,
  directory: checkDirectory,
  disk: checkDisk,
  certificates: ({ certificates, now }) => certificates.map((each) => checkCertificate(each, now)),
  etcd: checkEtcd,
  memory: checkMemory,
  'open files': checkOpenFiles,
};

/** The findings about a set-up. Pure. */
export function diagnose(facts: Facts): readonly Finding[] {
  return Object.entries(checks).flatMap(([subject, check]) =>
    check(facts).map(([severity, text]) => ({ subject, severity, text })),
  );
}

const ok = (text: string): Verdict => ['ok', text];
const warning = (text: string): Verdict => ['warning', text];
const problem = (text: string): Verdict => ['problem', text];

function checkNode({ nodeVersion }: Facts): readonly Verdict[] {
  const [major = 0, minor = 0] = nodeVersion.split('.').map(Number);
  const isEnough = major > LEAST_NODE[0] || (major === LEAST_NODE[0] && minor >= LEAST_NODE[1]);
  return [
    isEnough
      ? ok(`Node.js ${nodeVersion}`)
      : problem(`Node.js ${nodeVersion} is too old; install ${LEAST_NODE.join('.')} or newer`),
  ];
}

function checkClock({ now, directory }: Facts): readonly Verdict[] {
  const shown = new Date(now).toISOString();
  if (now < RELEASED)
    return [problem(`the clock shows ${shown}, which is in the past; set it, or no certificate is valid`)];
  const ahead = (directory?.newestFile ?? now) - now;
  if (ahead > 60_000) {
    const seconds = Math.round(ahead / 1000);
    return [warning(`the clock shows ${shown}, and a file in the data directory is ${seconds} s newer; set the clock`)];
  }
  return [ok(shown)];
}

function checkPort({ port: { address, port, errorCode } }: Facts): readonly Verdict[] {
  const where = `port ${port} on ${address}`;
  switch (errorCode) {
    case undefined:
      return [ok(`${where} is free`)];
    case 'EADDRINUSE':
      return [warning(`${where} is in use; unless that is this server, choose another port with --secure-port`)];
    case 'EACCES':
      return [problem(`this user may not listen on port ${port}; choose one above 1023 with --secure-port`)];
    case 'EADDRNOTAVAIL':
      return [problem(`${address} is not an address of this machine; choose one that is with --bind-address`)];
    default:
      return [problem(`no server can listen on ${where}: ${errorCode}`)];
  }
}

function checkDirectory({ directory }: Facts): readonly Verdict[] {
  if (directory === undefined) return [];
  const { path, fault, mode } = directory;
  if (fault !== undefined) return [problem(`${path}: ${fault}; fix that, or choose another directory with --data-dir`)];
  if (mode === undefined) return [ok(`${path} does not exist; the first start creates it`)];
  if ((mode & 0o077) !== 0) {
    return [warning(`other users may open ${path}, which has keys and Secrets; run chmod 700 on it`)];
  }
  return [ok(path)];
}

/** A store rewrites itself on `store compact`, and backups may be beside it. */
function checkDisk({ directory }: Facts): readonly Verdict[] {
  const { freeBytes, storeBytes = 0 } = directory ?? {};
  if (freeBytes === undefined) return [];
  const free = `${Math.floor(freeBytes / MIB)} MiB are free`;
  if (freeBytes < 100 * MIB) return [problem(`${free}; a full store refuses writes, so free some space`)];
  if (freeBytes < Math.max(GIB, storeBytes)) {
    return [warning(`${free}, and the store has ${Math.ceil(storeBytes / MIB)} MiB; a compaction needs as much again`)];
  }
  return [ok(free)];
}

function checkCertificate({ source, subject, validFrom, validTo, renewed }: CertificateFact, now: number): Verdict {
  const what = `${source}: ${subject}`;
  const date = (time: number): string => new Date(time).toISOString().slice(0, 10);
  if (now < validFrom) return problem(`${what} is not valid before ${date(validFrom)}; set the clock`);
  const remedy = renewed ? 'the next start replaces it' : 'replace the file';
  if (now >= validTo) return [renewed ? 'warning' : 'problem', `${what} expired on ${date(validTo)}; ${remedy}`];
  if (validTo - now < 30 * DAY_MS) return warning(`${what} expires on ${date(validTo)}; ${remedy}`);
  return ok(`${what} is valid until ${date(validTo)}`);
}

/** Upstream: the quota of etcd. */
const ETCD_QUOTA = 2 * GIB;

function checkEtcd({ etcd }: Facts): readonly Verdict[] {
  if (etcd === undefined) return [];
  const { endpoints, fault, sizeBytes = 0 } = etcd;
  if (fault !== undefined) return [problem(`${endpoints}: ${fault}`)];
  const size = `${endpoints} holds ${Math.ceil(sizeBytes / MIB)} MiB`;
  return [
    sizeBytes > 0.8 * ETCD_QUOTA ? warning(`${size}; its quota is 2 GiB by default, so defragment it`) : ok(size),
  ];
}

function checkMemory({ memory: { limitBytes, chosenBytes } }: Facts): readonly Verdict[] {
  const limit = `${Math.floor(limitBytes / MIB)} MiB`;
  if (limitBytes < 128 * MIB) return [problem(`${limit} of memory; the server needs 128 MiB`)];
  if (chosenBytes !== undefined && chosenBytes > limitBytes) {
    return [problem(`--max-memory is ${Math.floor(chosenBytes / MIB)} MiB, and there are ${limit}; lower it`)];
  }
  return [limitBytes < 512 * MIB ? warning(`${limit} of memory, enough for a few thousand objects`) : ok(limit)];
}

function checkOpenFiles({ openFiles }: Facts): readonly Verdict[] {
  if (openFiles === undefined) return [];
  return [
    openFiles < 1024
      ? warning(`${openFiles} open files; each connection takes one, so raise the limit (ulimit -n, LimitNOFILE)`)
      : ok(`up to ${openFiles}`),
  ];
}
