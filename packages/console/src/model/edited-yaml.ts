/**
 * The YAML of an object without its managedFields, which a person does not edit; the server keeps those it has. Only for
 * the server's own YAML, whose nesting is known from its indentation.
 */
export function withoutManagedFields(yaml: string): string {
  return yaml.replace(/^(metadata:\n(?: .*\n|\n)*?) {2}managedFields:\n(?: {2}- .*\n| {3,}.*\n|\n)*/m, '$1');
}

const VERSION = /^(metadata:\n(?: .*\n|\n)*?) {2}resourceVersion: (.*)\n/m;
const STATUS = /^status:.*\n(?:[ -].*\n|\n)*/m;

/**
 * A person's text for the newest version of the object, when only its status has changed since `base`, which the person
 * began with: the status is not theirs to write. Undefined: something else has changed too. All are the server's own YAML.
 */
export function rebased(edited: string, base: string, newest: string): string | undefined {
  const rest = (yaml: string) => yaml.replace(VERSION, '$1').replace(STATUS, '');
  const version = VERSION.exec(newest)?.[2];
  if (version === undefined || rest(base) !== rest(newest)) return undefined;
  return edited.replace(VERSION, (_, before: string) => `${before}  resourceVersion: ${version}\n`);
}
