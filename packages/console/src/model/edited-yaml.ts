/**
 * The YAML of an object without its managedFields, which a person does not edit; the server keeps those it has. Only for
 * the server's own YAML, whose nesting is known from its indentation.
 */
export function withoutManagedFields(yaml: string): string {
  return yaml.replace(/^ {2}managedFields:\n(?: {2}- .*\n| {3,}.*\n|\n)*/m, '');
}
