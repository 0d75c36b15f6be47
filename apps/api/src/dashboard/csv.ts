import type { Dashboard } from '@pdf2press/contract';
import { cell } from '../frame/csv.ts';

type Row = readonly [part: string, name: string, measure: string, value: number];

const outcomeRows = (part: string, name: string, outcomes: Dashboard['outcomes']): Row[] =>
  Object.entries(outcomes).map(([status, n]) => [part, name, status, n]);

const shareRows = (part: string, shares: Dashboard['workflows']): Row[] =>
  shares.flatMap(({ id, name, files, failed }): Row[] => [
    [part, name ?? id, 'files', files],
    [part, name ?? id, 'failed', failed],
  ]);

function rowsOf(dashboard: Dashboard): Row[] {
  const { savings, needsYou, storage } = dashboard;
  return [
    ...outcomeRows('period', dashboard.from, dashboard.outcomes),
    ...outcomeRows('previous', dashboard.previous.from, dashboard.previous.outcomes),
    ...dashboard.parts.flatMap(({ from, outcomes }) => outcomeRows(dashboard.unit, from, outcomes)),
    ...Object.entries(savings ?? {}).map(([measure, value]): Row => ['savings', '', measure, value]),
    ['needsYou', '', 'onHold', needsYou.onHold],
    ['needsYou', '', 'failed', needsYou.failed],
    ...Object.entries(needsYou.proofs ?? {}).map(([measure, value]): Row => ['needsYou', 'proofs', measure, value]),
    ...dashboard.findings.map(({ label, severity, files }): Row => ['findings', label, severity, files]),
    ...dashboard.steps.flatMap(({ kind, machine, people }) =>
      Object.entries({ machine, people }).flatMap(([of, durations]) =>
        Object.entries(durations ?? {}).map(([measure, value]): Row => ['steps', kind, `${of}.${measure}`, value]),
      ),
    ),
    ...shareRows('workflows', dashboard.workflows),
    ...shareRows('organizations', dashboard.organizations),
    ...(storage?.months ?? []).map(({ month, bytes }): Row => ['storage', month, 'bytes', bytes]),
  ];
}

/** The figures, one a line; the byte order mark makes spreadsheets read the file as UTF-8. */
export const dashboardCsv = (dashboard: Dashboard): string =>
  `\ufeff${[['part', 'name', 'measure', 'value'], ...rowsOf(dashboard)]
    .map((row) => `${row.map((value) => cell(value)).join(',')}\r\n`)
    .join('')}`;
