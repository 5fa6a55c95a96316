// Comma-separated values, with the headings that run.to_csv writes: name [unit].

export interface Column {
  name: string;
  unit: string;
  values: ArrayLike<number>;
}

export function csv(columns: readonly Column[]): string {
  const rows = Math.max(0, ...columns.map((column) => column.values.length));
  const lines = [columns.map((column) => cell(column.unit ? `${column.name} [${column.unit}]` : column.name)).join(",")];
  for (let row = 0; row < rows; row++) {
    lines.push(columns.map(({ values }) => (row < values.length ? String(values[row]) : "")).join(","));
  }
  return lines.join("\n") + "\n";
}

function cell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
