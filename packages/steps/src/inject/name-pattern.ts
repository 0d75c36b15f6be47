import { extensionOf, readVariables, type SettingIssue, type WorkflowVariable } from '@pdf2press/contract';
import { matchPattern, nameKey, patternFaults } from '@pdf2press/settings';
import type { WorkflowNames } from '../step.ts';

/*
 * Names of files by a pattern: `{{order}}_{{copies}}_*.pdf`. A pattern that ends without `*` or an extension is about names
 * without theirs.
 */

const variableNamed = (variables: readonly WorkflowVariable[], name: string): WorkflowVariable | undefined =>
  variables.find((variable) => nameKey(variable.name) === nameKey(name));

/** What is wrong with a pattern, beside what is wrong with any text that has placeholders. */
export const namePatternIssues = (pattern: string, { variables, known }: WorkflowNames): SettingIssue[] =>
  patternFaults(pattern, (name) => {
    if (variableNamed(variables, name)) return 'variable';
    return known.get(name) ? 'other' : 'unknown';
  }).map((fault) => ({ ...fault, field: 'namePattern' }));

/** Whether a text can be the value of a variable: of a number only digits, of a choice one of its words. */
const fits = (variable: WorkflowVariable, text: string): boolean =>
  text.trim() !== '' && readVariables([variable], { [variable.name]: text }).problems.length === 0;

/**
 * The values that a file's name gives by a pattern; null when the name does not fit. Takes time in proportion to the
 * pattern's length and the square of the name's.
 */
export function matchName(
  pattern: string,
  fileName: string,
  variables: readonly WorkflowVariable[],
): Record<string, string> | null {
  const whole = fileName.normalize('NFC');
  const isWhole = pattern.endsWith('*') || extensionOf(pattern) !== '';
  const name = !isWhole ? whole.slice(0, whole.length - extensionOf(whole).length) : whole;
  return matchPattern(pattern, name, {
    targetOf: (named) => {
      const variable = variableNamed(variables, named);
      return variable ? { name: variable.name, fits: (text) => fits(variable, text) } : null;
    },
  });
}
