/** A column of a Table, members in wire order. Upstream: `metav1.TableColumnDefinition`. */
export interface ColumnDefinition {
  readonly name: string;
  /** An OpenAPI type: `string`, `integer`, `boolean`, `date`. */
  readonly type: string;
  /** `name` marks the column that identifies the object; empty otherwise. */
  readonly format: string;
  readonly description: string;
  /** 0: always shown; 1: only in wide output. */
  readonly priority: number;
}

function column(name: string, type: string, description: string): ColumnDefinition {
  return { name, type, format: '', description, priority: 0 };
}

export const text = (name: string, description: string): ColumnDefinition => column(name, 'string', description);
export const integer = (name: string, description: string): ColumnDefinition => column(name, 'integer', description);
export const boolean = (name: string, description: string): ColumnDefinition => column(name, 'boolean', description);

/** The same column, shown only in wide output. */
export const wide = (definition: ColumnDefinition): ColumnDefinition => ({ ...definition, priority: 1 });

/** The same column, marked as the one that identifies the object. */
export const named = (definition: ColumnDefinition): ColumnDefinition => ({ ...definition, format: 'name' });

export const nameColumn: ColumnDefinition = named(
  text('Name', 'Name of the object, unique among its kind in its namespace.'),
);
export const ageColumn: ColumnDefinition = text('Age', 'Time since the object was created.');
export const createdColumn: ColumnDefinition = column('Created At', 'date', 'When the object was created.');

/** Columns for the containers and images of a pod template. */
export const containerColumns: readonly ColumnDefinition[] = [
  wide(text('Containers', 'Names of the containers in the template.')),
  wide(text('Images', 'Images of the containers in the template.')),
];
