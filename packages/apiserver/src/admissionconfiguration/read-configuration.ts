import {
  anything,
  ConfigurationError,
  kind,
  listOf,
  nested,
  readConfiguration,
  struct,
  text,
} from '@binnacle/apimachinery/configuration';
import { messageOf } from '@binnacle/apimachinery/errors';
import { isObject, type JsonValue } from '@binnacle/apimachinery/json';
import { quoteGo } from '@binnacle/apimachinery/status';
import { parseYaml, YamlError } from '@binnacle/apimachinery/yaml';
import type { AdmissionConfiguration, ConfigurationFiles } from './configuration.js';
import { pluginReaders } from './plugin-readers.js';

const configuration = kind('v1.AdmissionConfiguration', {
  plugins: listOf(
    nested(struct('v1.AdmissionPluginConfiguration', { name: text, path: text, configuration: anything })),
  ),
});
/** The versions have the same fields. */
const kinds = new Map([
  ['apiserver.config.k8s.io/v1/AdmissionConfiguration', configuration],
  ['apiserver.k8s.io/v1alpha1/AdmissionConfiguration', configuration],
]);

interface PluginEntry {
  readonly name?: string;
  readonly path?: string;
  readonly configuration?: JsonValue;
}

/** Files from before AdmissionConfiguration, by the key that tells them. */
const LEGACY = [
  ['imagePolicy', 'ImagePolicyWebhook'],
  ['podNodeSelectorPluginConfig', 'PodNodeSelector'],
] as const;

/**
 * Reads the text of an AdmissionConfiguration, YAML or JSON, and the configurations of its plugins. The first entry of a
 * plugin counts. Rejects with a {@link ConfigurationError} in upstream's words.
 */
export async function readAdmissionConfiguration(
  source: string,
  files: ConfigurationFiles,
): Promise<AdmissionConfiguration> {
  const read: { -readonly [K in keyof AdmissionConfiguration]: AdmissionConfiguration[K] } = {};
  const seen = new Set<string>();
  for (const { name = '', ...entry } of pluginsOf(source)) {
    if (seen.has(name)) continue;
    seen.add(name);
    const { settings, ...others } = await naming(name, () => readPlugin(name, entry, files));
    Object.assign(read, others);
    read.settings = { ...read.settings, ...settings };
  }
  return read;
}

function pluginsOf(source: string): readonly PluginEntry[] {
  try {
    const { plugins = [] }: { readonly plugins?: readonly PluginEntry[] } = readConfiguration(source, kinds);
    return plugins;
  } catch (error) {
    const legacy = legacyPlugins(source);
    if (legacy.length > 0) return legacy;
    throw error;
  }
}

/** The plugins that a file without a kind configures. */
function legacyPlugins(source: string): readonly PluginEntry[] {
  const value = valueOf(source);
  if (!isObject(value) || value['kind'] !== undefined) return [];
  return LEGACY.filter(([key]) => Object.hasOwn(value, key)).map(([, name]) => ({ name, configuration: value }));
}

function valueOf(source: string): JsonValue {
  try {
    return parseYaml(source).value;
  } catch (error) {
    if (error instanceof YamlError) return null;
    throw error;
  }
}

async function readPlugin(
  name: string,
  { path = '', configuration: inline }: Omit<PluginEntry, 'name'>,
  files: ConfigurationFiles,
): Promise<AdmissionConfiguration> {
  const reader = pluginReaders.get(name);
  if (reader === undefined) throw new ConfigurationError('the plugin does not exist, or has no configuration');
  if (inline !== undefined && inline !== null) return reader(JSON.stringify(inline), files);
  return path === '' ? {} : reader(await files.text(path), files);
}

async function naming<T>(plugin: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const reason = messageOf(error);
    throw new ConfigurationError(`couldn't init admission plugin ${quoteGo(plugin)}: ${reason}`, { cause: error });
  }
}
