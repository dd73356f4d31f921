/** Named apart from its import: after its types, which refer to node's, the linter no longer knows `node:test` by its name. */
const name = '@kubernetes/client-node';

export const {
  ApiextensionsV1Api,
  AppsV1Api,
  CoreV1Api,
  CustomObjectsApi,
  KubeConfig,
  KubernetesObjectApi,
  loadYaml,
  makeInformer,
  PatchStrategy,
  PolicyV1Api,
  setHeaderOptions,
  Watch,
} = await import(name);
