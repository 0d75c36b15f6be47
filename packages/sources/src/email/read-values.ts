/* Values that a mail gives the variables of its workflow. */
import { readVariables, type WorkflowVariable } from '@pdf2press/contract';
import { matchPattern, nameKey } from '@pdf2press/settings';
import type { MailboxSettings } from './contract.ts';

/** What a mail says, in plain text. */
export interface MailTexts {
  subject: string;
  sender: string;
  body: string;
}

/** Of a text, what a variable is given. */
const mostCharacters = 2_000;
/** Longer lines are no order numbers, and looking at one takes time that grows with its square. */
const mostLineCharacters = 300;
const mostLines = 200;

/** The lines of a text that patterns are held against: those that say something. */
const linesOf = (text: string): string[] =>
  text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && line.length <= mostLineCharacters)
    .slice(0, mostLines);

/** A name that is no variable of the workflow is kept as a text, like every value that a file comes with. */
function targetOf(variables: readonly WorkflowVariable[], name: string) {
  const variable = variables.find((one) => nameKey(one.name) === nameKey(name));
  const fits = (text: string) =>
    /[\p{L}\p{N}]/u.test(text) &&
    (!variable || readVariables([variable], { [variable.name]: text }).problems.length === 0);
  return { name: variable?.name ?? name, fits };
}

/**
 * The values that a mail gives by the settings of its mailbox: whole texts, and what stands in the place of a variable in the
 * first line that fits a pattern. Of patterns that fill the same variable, the first that fits counts.
 */
export function valuesOf(
  texts: MailTexts,
  settings: Pick<MailboxSettings, 'subjectVariable' | 'senderVariable' | 'bodyVariable' | 'patterns'>,
  variables: readonly WorkflowVariable[],
): Record<string, string> {
  const { subjectVariable, senderVariable, bodyVariable, patterns } = settings;
  const whole: [string, string][] = [
    [subjectVariable, texts.subject],
    [senderVariable, texts.sender],
    [bodyVariable, texts.body.slice(0, mostCharacters)],
  ];
  const read = patterns.flatMap(({ part, pattern }): [string, string][] => {
    for (const line of linesOf(texts[part])) {
      const found = matchPattern(pattern, line, { targetOf: (name) => targetOf(variables, name), isByWords: true });
      if (found) return Object.entries(found);
    }
    return [];
  });
  return Object.fromEntries([...whole, ...read.reverse()].filter(([name, value]) => name !== '' && value !== ''));
}
