/** Tells what settings a kind has, as lines for a terminal. */
import type { Condition, SettingDescription } from '@pdf2press/settings';

interface Described {
  key: string;
  label: string;
  help: string;
  parameters: readonly SettingDescription[];
}

/** A kind with each of its settings: default, type, what is allowed, label; below, how a complex one is written as JSON. */
export function settingsHelp({ key, label, help, parameters }: Described): string {
  const rows = columns(
    parameters.map(({ name, initial, type, allowed, label, appliesWhen }) => [
      `  ${name}=${initial}`,
      type,
      allowed,
      appliesWhen ? `${label} [${whenText(appliesWhen)}]` : label,
    ]),
  );
  const lines = parameters.flatMap(({ shape }, at) => [rows[at] ?? '', ...(shape ? [`      ${shape}`] : [])]);
  return [`${key}: ${label}`, `  ${help}`, ...lines].join('\n');
}

/** The condition of a parameter in the syntax of `--set`: `fit=Inside,Width`. */
const whenText = (conditions: readonly Condition[]): string =>
  conditions
    .map((condition) =>
      Object.entries(condition)
        .map(([name, values]) => `${name}=${values}`)
        .join(' '),
    )
    .join(' | ');

/** Aligns the cells of rows in columns; the last column is not padded. */
export function columns(rows: readonly (readonly string[])[]): string[] {
  const widest = (at: number) => Math.min(40, Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  const widths = (rows[0] ?? []).slice(0, -1).map((_, at) => widest(at));
  return rows.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
