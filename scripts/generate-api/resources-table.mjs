// resources.json: groups in discovery order, and one row a resource.

/** @param {string} version */
function stability(version) {
  if (version.includes('alpha')) return 'alpha';
  return version.includes('beta') ? 'beta' : 'ga';
}

/** @param {import('./facts.mjs').Facts} facts */
export function buildResources(facts) {
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
  return { groups, resources };
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
export function printResources(version, { groups, resources }) {
  const lines = (/** @type {unknown[]} */ list) => list.map((each) => JSON.stringify(each)).join(',\n');
  return `{"kubernetes":${JSON.stringify(version)},"groups":[\n${lines(groups)}\n],\n"resources":[\n${lines(resources)}\n]}\n`;
}
