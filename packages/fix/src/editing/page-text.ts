import { formatLength } from '@pdf2press/contract';
import type { PageFacts } from '@pdf2press/pdf';
import { factsOf, knownNames, resolvePlaceholders } from '@pdf2press/settings';
import type { FixContext } from '../kind/runner.ts';
import { heightOf, widthOf } from './boxes.ts';

const names = knownNames({ scope: 'page' });

/**
 * A text with the placeholders of a page replaced: its number, label and trim size, the file's name, the date, and the
 * session's variables. `pageNumber` is printed for `page.no`.
 */
export function pageText(
  { fileName, variables, now, file }: Pick<FixContext, 'fileName' | 'variables' | 'now' | 'file'>,
  page: PageFacts,
  text: string,
  pageNumber = page.number,
): string {
  const { trim } = page.effective;
  // Points of default user space are UserUnit / 72 inch; a page that is turned by 90 degrees is as wide as it is seen.
  const seen = page.rotate % 180 === 0 ? [widthOf(trim), heightOf(trim)] : [heightOf(trim), widthOf(trim)];
  const [width = '', height = ''] = seen.map((length) => formatLength(length * page.userUnit, 'Millimeters'));
  const values: Record<string, string> = {
    'file.name': fileName,
    'page.no': String(pageNumber),
    'page.label': page.label,
    'page.count': String(file.pageCount),
    'trim.size': `${width} × ${height}`,
    'trim.width': width,
    'trim.height': height,
    date: now.toISOString().slice(0, 10),
    time: now.toISOString().slice(11, 16),
  };
  // The page's own values win over variables of the same name. Texts on pages are for print: no reader's language.
  const facts = factsOf({ ...variables, ...values }, (name) => names.get(name)?.type);
  return resolvePlaceholders(text, facts, { locale: 'en', unit: 'Millimeters', timeZone: 'UTC' });
}
