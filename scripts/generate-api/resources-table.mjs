// resources.json: groups in discovery order, one row for each resource, and the versions without resources.
import { definitionName, isKind, packageOf } from './facts.mjs';

/** Groups without resources, by their Go package: protocols of webhooks and of discovery, a retired one. */
const groupsWithoutResources = new Map([
  ['k8s.io/api/admission', 'admission.k8s.io'],
  ['k8s.io/api/apidiscovery', 'apidiscovery.k8s.io'],
  ['k8s.io/api/extensions', 'extensions'],
  ['k8s.io/api/imagepolicy', 'imagepolicy.k8s.io'],
]);

/** @param {string} version */
function stability(version) {
  if (version.includes('alpha')) return 'alpha';
  return version.includes('beta') ? 'beta' : 'ga';
}

/** @param {import('./facts.mjs').Facts} facts @param {Map<string, unknown>} unserved definitions in a file of their own */
export function buildResources(facts, unserved) {
  const groups = facts.groups.map((group) => ({
    group: group.group,
    preferredVersion: group.preferredVersion,
    versions: group.versions.map((/** @type {any} */ each) => ({
      ...each,
      stability: stability(each.version),
      definitionPrefix: definitionPrefix(facts, group.group, each.version),
    })),
  }));
  const resources = facts.resources.map((row) => buildResource(facts, row));
  const unservedPackages = [...new Set([...unserved.keys()].map(packageOf))];
  return { groups, resources, otherVersions: buildOtherVersions(facts, groups), unservedPackages };
}

/** Versions that have kinds and no resource. @param {import('./facts.mjs').Facts} facts @param {any[]} groups */
function buildOtherVersions(facts, groups) {
  const served = new Map(
    groups.flatMap(({ group, versions }) => versions.map((/** @type {any} */ each) => [each.definitionPrefix, group])),
  );
  const groupOf = new Map([...served].map(([prefix, group]) => [packageOf(prefix), group]));
  return [...facts.go].flatMap(([goPackage, types]) => {
    if (goPackage.startsWith('k8s.io/apimachinery/') || !Object.values(types).some(isKind)) return [];
    const definitionPrefix = packageOf(definitionName(goPackage, ''));
    if (served.has(definitionPrefix)) return [];
    const slash = goPackage.lastIndexOf('/');
    const group = groupsWithoutResources.get(goPackage.slice(0, slash)) ?? groupOf.get(packageOf(definitionPrefix));
    if (group === undefined) throw new Error(`${goPackage}: the group of its kinds is unknown`);
    return [{ group, version: goPackage.slice(slash + 1), definitionPrefix }];
  });
}

/** @param {import('./facts.mjs').Facts} facts @param {string} group @param {string} version */
function definitionPrefix(facts, group, version) {
  const row = facts.resources.find((each) => each.group === group && each.version === version);
  if (row === undefined) throw new Error(`no resource in ${group}/${version}`);
  return row.def.slice(0, row.def.lastIndexOf('.'));
}

/** @param {import('./facts.mjs').Facts} facts @param {any} row */
function buildResource(facts, row) {
  const { def, plural, singular, columns, subresources, introduced, removed, ...rest } = row;
  const { group, version, kind, ...facets } = rest;
  const life = lifecycle(facts, def);
  const from = introduced ?? life.introduced;
  const until = removed ?? life.removed;
  return {
    group,
    version,
    kind,
    resource: plural,
    singular,
    definition: def,
    stability: stability(version),
    ...facets,
    ...(from === undefined ? {} : { introduced: from }),
    ...(life.deprecated === undefined ? {} : { deprecated: life.deprecated }),
    ...(until === undefined ? {} : { removed: until }),
    ...(life.replacement === undefined ? {} : { replacement: life.replacement }),
    ...(columns === undefined || columns === null ? {} : { columns }),
    ...(subresources === undefined ? {} : { subresources }),
  };
}

/** @param {import('./facts.mjs').Facts} facts @param {string} definition @returns {Record<string, any>} */
function lifecycle(facts, definition) {
  for (const [goPackage, types] of facts.go) {
    const prefix = `io.${goPackage.replace('k8s.io/', 'k8s/').replaceAll('/', '.')}.`;
    if (!definition.startsWith(prefix)) continue;
    const type = types[definition.slice(prefix.length)];
    if (type !== undefined) return type.lifecycle ?? {};
  }
  return {};
}

/** @param {string} version @param {ReturnType<typeof buildResources>} table */
export function printResources(version, table) {
  const lists = Object.entries(table).map(([name, list]) => {
    const lines = list.map((/** @type {unknown} */ each) => JSON.stringify(each));
    return `${JSON.stringify(name)}:[\n${lines.join(',\n')}\n]`;
  });
  return `{"kubernetes":${JSON.stringify(version)},${lists.join(',\n')}}\n`;
}
