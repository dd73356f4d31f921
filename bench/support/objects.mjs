export const collection = '/api/v1/namespaces/default/configmaps';

/** Bytes of a served ConfigMap without its padding: metadata, managedFields. */
const REST_BYTES = 620;

/** Returns bodies of ConfigMaps of about this size as served. */
export function objectsOf(kilobytes) {
  const padding = 'x'.repeat(Math.max(0, kilobytes * 1024 - REST_BYTES));
  return (index, generation) =>
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: nameOf(index), labels: { app: 'bench', shard: `${index % 10}` } },
      data: { generation: `${generation}`, padding },
    });
}

export function pathOf(index) {
  return `${collection}/${nameOf(index)}`;
}

function nameOf(index) {
  return `object-${index}`;
}
