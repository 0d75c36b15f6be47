import { factsOf, knownNames, resolvePlaceholders } from '@pdf2press/settings';

const known = knownNames({ scope: 'sheet' });

/**
 * The text of a mark with its placeholders replaced, trimmed. Locale, unit and time zone are fixed: sheets are read in the
 * press room, and only formats in a placeholder use them.
 */
export const markText = (text: string, variables: Readonly<Record<string, string>>): string =>
  resolvePlaceholders(
    text,
    factsOf(variables, (name) => known.get(name)?.type),
    {
      locale: 'en',
      unit: 'Millimeters',
      timeZone: 'UTC',
    },
  ).trim();
