/** A column of a Table, its members in the order of the wire. Upstream: `metav1.TableColumnDefinition`. */
export interface ColumnDefinition {
  readonly name: string;
  /** An OpenAPI type: `string`, `integer`, `boolean`, `date`. */
  readonly type: string;
  /** `name` marks the column that identifies the object; else empty. */
  readonly format: string;
  readonly description: string;
  /** 0: always shown; 1: in wide output. */
  readonly priority: number;
}

function column(name: string, type: string, description: string): ColumnDefinition {
  return { name, type, format: '', description, priority: 0 };
}

export const text = (name: string, description: string): ColumnDefinition => column(name, 'string', description);
export const integer = (name: string, description: string): ColumnDefinition => column(name, 'integer', description);
export const boolean = (name: string, description: string): ColumnDefinition => column(name, 'boolean', description);

/** The same column, shown in wide output alone. */
export const wide = (definition: ColumnDefinition): ColumnDefinition => ({ ...definition, priority: 1 });

/** The same column, marked as the one that identifies something. */
export const named = (definition: ColumnDefinition): ColumnDefinition => ({ ...definition, format: 'name' });

export const nameColumn: ColumnDefinition = named(
  text('Name', 'Name of the object, unique among its kind in its namespace.'),
);
export const ageColumn: ColumnDefinition = text('Age', 'Time since the object was created.');
export const createdColumn: ColumnDefinition = column('Created At', 'date', 'When the object was created.');

/** Containers and images of a pod template. */
export const containerColumns: readonly ColumnDefinition[] = [
  wide(text('Containers', 'Names of the containers in the template.')),
  wide(text('Images', 'Images of the containers in the template.')),
];
