import { anyString } from './values.mjs';

export const labelSelector = (random) =>
  random.pick([
    'app=web',
    'app!=web',
    'app in (web,db)',
    'app notin (web)',
    '!app',
    'app',
    'a=b,',
    'app in (',
    'app>1',
    'x'.repeat(300),
    Array.from({ length: 200 }, (_, index) => `k${index}=v`).join(','),
    anyString(random),
  ]);

export const fieldSelector = (random) =>
  random.pick([
    'metadata.name=a',
    'metadata.namespace=default',
    'spec.nodeName=',
    'status.phase=Running',
    'spec.nope=1',
    'metadata.name!=a,metadata.name!=b',
    'involvedObject.name=x',
    'type=Opaque',
    'a=b\\,c',
    'a',
    '==',
    anyString(random),
  ]);

const versions = ['0', '1', '5', '999999999999', '-1', 'x', '18446744073709551616', '1.5', '00'];
const parameters = {
  pretty: (random) => random.pick(['true', '1', 'x']),
  limit: (random) => random.pick(['1', '2', '500', '0', '-1', 'x', '9223372036854775808']),
  continue: (random) =>
    random.pick(['x', 'eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6MSwic3RhcnQiOiJhXHUwMDAwIn0', 'e30', anyString(random)]),
  resourceVersion: (random) => random.pick(versions),
  resourceVersionMatch: (random) => random.pick(['Exact', 'NotOlderThan', 'x']),
  labelSelector,
  fieldSelector,
  dryRun: (random) => random.pick(['All', 'All', 'x', '']),
  fieldValidation: (random) => random.pick(['Strict', 'Warn', 'Ignore', 'x']),
  fieldManager: (random) => random.pick(['fuzz', 'other', 'x'.repeat(129), '\u0001']),
  force: (random) => random.pick(['true', 'false', 'x']),
  propagationPolicy: (random) => random.pick(['Orphan', 'Background', 'Foreground', 'x']),
  gracePeriodSeconds: (random) => random.pick(['0', '30', '-1', 'x', '99999999999999999999']),
  orphanDependents: (random) => random.pick(['true', 'x']),
  allowWatchBookmarks: () => 'true',
  sendInitialEvents: (random) => random.pick(['true', 'false', 'x']),
  timeoutSeconds: (random) => random.pick(['1', '0', 'x', '-5']),
  timeout: (random) => random.pick(['1s', 'x', '-1s']),
  includeObject: (random) => random.pick(['None', 'Metadata', 'Object', 'x']),
  as: (random) => anyString(random),
};

/** A query with a few parameters, at times duplicated, at times with broken escapes. */
export function queryOf(random, usual = []) {
  const names = [...usual];
  while (random.chance(0.35)) names.push(random.pick(Object.keys(parameters)));
  const pairs = names.map((name) => `${name}=${encodeURIComponent(wellFormed(parameters[name](random)))}`);
  if (random.chance(0.02)) pairs.push(random.pick(['%', '%zz', 'a;b', '=', '&&', `${'q'.repeat(5000)}=1`]));
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

/** Replaces lone surrogates, which a URL cannot hold. */
const wellFormed = (text) => text.replaceAll(/[\ud800-\udfff]/gu, '?');
