/**
 * When a setting counts. It stands in the metadata of a setting's schema, so that the form, the command line's help and
 * whoever reads the JSON Schema say the same: a setting that another one has put out of use is not asked for.
 */
type Plain = string | number | boolean | null;

/**
 * Values of settings beside this one, by name: each must be one of those given; of a list, one of its entries. A setting
 * without a value is null.
 */
export type Condition = Readonly<Record<string, Plain | readonly Plain[]>>;
/** One condition, or several of which one suffices. */
export type AppliesWhen = Condition | readonly Condition[];

const isSeveral = (when: AppliesWhen): when is readonly Condition[] => Array.isArray(when);
export const conditionsOf = (when: AppliesWhen): readonly Condition[] => (isSeveral(when) ? when : [when]);

const listOf = <T>(value: T | readonly T[]): readonly T[] => (Array.isArray(value) ? value : [value as T]);

/** The settings that decide it. */
export const decidingSettings = (when: AppliesWhen): string[] => [
  ...new Set(conditionsOf(when).flatMap((condition) => Object.keys(condition))),
];

/** Whether a setting counts beside these values of its group. */
export const settingApplies = (when: AppliesWhen, siblings: Readonly<Record<string, unknown>>): boolean =>
  conditionsOf(when).some((condition) =>
    Object.entries(condition).every(([name, wanted]) =>
      listOf(siblings[name] ?? null).some((value) => listOf(wanted).includes(value as Plain)),
    ),
  );
