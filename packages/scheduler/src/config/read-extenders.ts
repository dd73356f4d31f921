import { parseDuration } from '@binnacle/apimachinery/time';
import type { ExtenderConfiguration, ExtenderTls } from '../extenders/index.js';
import type { ExtenderOfFile } from './file-types.js';

/** Upstream: `DefaultExtenderTimeout`. */
const TIMEOUT_MS = 5000;

/** Completes a valid extender of a file. */
export function extenderOf(file: ExtenderOfFile): ExtenderConfiguration {
  const { filterVerb = '', preemptVerb = '', prioritizeVerb = '', bindVerb = '' } = file;
  return {
    urlPrefix: file.urlPrefix ?? '',
    filterVerb,
    preemptVerb,
    prioritizeVerb,
    bindVerb,
    weight: file.weight ?? 0,
    // 0 is the default, as upstream's.
    timeoutMs: Number(parseDuration(file.httpTimeout ?? '0')) / 1e6 || TIMEOUT_MS,
    nodeCacheCapable: file.nodeCacheCapable === true,
    managedResources: (file.managedResources ?? []).flatMap(({ name }) => name ?? []),
    isIgnorable: file.ignorable === true,
    tls: tlsOf(file),
  };
}

/** The resources that nodes are not compared for, because an extender manages them. */
export function ignoredResources(extenders: readonly ExtenderOfFile[]): readonly string[] {
  return extenders.flatMap(({ managedResources = [] }) =>
    managedResources.flatMap(({ name, ignoredByScheduler }) => (ignoredByScheduler === true ? (name ?? []) : [])),
  );
}

/** `enableHTTPS` without an authority accepts any certificate. Upstream: `makeTransport`. */
function tlsOf({ enableHTTPS = false, tlsConfig = {} }: ExtenderOfFile): ExtenderTls {
  const { insecure = false, serverName, caFile, certFile, keyFile, caData, certData, keyData } = tlsConfig;
  const hasAuthority = (caFile ?? '') !== '' || (caData ?? '') !== '';
  return {
    insecure: insecure || (enableHTTPS && !hasAuthority),
    serverName: given(serverName),
    caFile: given(caFile),
    certFile: given(certFile),
    keyFile: given(keyFile),
    ca: decoded(caData),
    cert: decoded(certData),
    key: decoded(keyData),
  };
}

function given(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}

function decoded(data: string | undefined): string | undefined {
  return given(data) === undefined ? undefined : Buffer.from(data ?? '', 'base64').toString();
}
