import { evaluate } from '@pdf2press/settings';
import { checkRunner } from '../runner.ts';

export const pageCountRunner = checkRunner<'PageCount'>()({
  document({ settings, report, pageCount, variables }) {
    const measured = { value: pageCount, unit: 'count' } as const;
    const compare = (
      rule: 'tooFew' | 'tooMany' | 'notExact' | 'notAsOrdered',
      isWrong: boolean,
      value: number,
      op: '>=' | '<=' | '=',
    ) => {
      if (isWrong)
        report({
          rule,
          objectType: 'document',
          measured,
          limit: { value, unit: 'count', op },
        });
    };
    const { min, max, exact, compareTo } = settings;
    if (exact !== null) compare('notExact', pageCount !== exact, exact, '=');
    else {
      compare('tooFew', pageCount < min, min, '>=');
      if (max !== null) compare('tooMany', pageCount > max, max, '<=');
    }
    const ordered = compareTo === null ? undefined : evaluate(compareTo, variables, null);
    if (typeof ordered === 'number') compare('notAsOrdered', pageCount !== ordered, ordered, '=');
    return { pageCount };
  },
});
