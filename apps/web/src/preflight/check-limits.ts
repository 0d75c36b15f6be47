import { type CheckKey, checkContracts } from '@pdf2press/preflight/contracts';
import type { FieldShape } from '@pdf2press/ui';

interface Limit {
  /** In the settings of the check. */
  path: string;
  value: number;
  unit: string | null;
}

/** Limits that a closed row has room for. */
const most = 3;
/** Units of a limit; a plain number is more often a count of what is passed over. */
const limiting: ReadonlySet<string | null> = new Set(['length', 'ppi', 'dpi', 'percent', 'points']);

/** The first limits of a check's settings that are set, in the order of the form. */
export function limitsOf(shape: FieldShape, settings: unknown, path = ''): readonly Limit[] {
  if (shape.kind === 'group') {
    const values = (settings ?? {}) as Readonly<Record<string, unknown>>;
    return shape.fields
      .flatMap(([key, inner]) => limitsOf(inner, values[key], path === '' ? key : `${path}.${key}`))
      .slice(0, most);
  }
  if (shape.kind !== 'number' || !limiting.has(shape.unit)) return [];
  const value = settings === undefined ? shape.initial : settings;
  return typeof value === 'number' ? [{ path, value, unit: shape.unit }] : [];
}

const order = ['Fail', 'Warn', 'Info'] as const;

/** How severe a check's findings are, the worst first; a rule without a severity of its own is decided by its limits. */
export function severitiesOf(
  key: CheckKey,
  check: {
    settings?: unknown;
    severity?: string | null | undefined;
    severities?: Readonly<Record<string, string | undefined>> | undefined;
  },
): readonly (typeof order)[number][] {
  const rules = Object.entries(checkContracts[key].rules as Readonly<Record<string, string>>);
  const found = new Set(
    rules.flatMap(([rule, initial]) => {
      if (initial === 'Measured') return ['Fail', 'Warn'];
      return [check.severities?.[rule] ?? (initial === 'Off' ? initial : (check.severity ?? initial))];
    }),
  );
  return order.filter((severity) => found.has(severity));
}
