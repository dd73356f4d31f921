export type { ColumnDefinition } from './column.js';
export type { PrintContext, RowCondition, TablePrinter, TableWork } from './printer.js';
export { defaultTablePrinter, printRow, tableColumns, tablePrinter } from './table-printer.js';
