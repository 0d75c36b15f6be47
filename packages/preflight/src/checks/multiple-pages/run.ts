import { checkRunner } from '../runner.ts';

export const multiplePagesRunner = checkRunner<'MultiplePages'>()({
  document({ settings, report, pageCount }) {
    const { mode, n: multiple, padAllowed } = settings;
    const measured = { value: pageCount, unit: 'count' } as const;
    const blanks = (multiple - (pageCount % multiple)) % multiple;
    if (mode === 'MultipleOf' && blanks > 0) {
      report({
        rule: 'notMultiple',
        severity: padAllowed ? 'Warn' : 'Fail',
        objectType: 'document',
        measured,
        limit: { value: multiple, unit: 'count' },
        params: { blanks },
        fixableBy: { action: 'TruncatePages', params: { keep: 'PadToMultipleOf', multiple } },
      });
    }
    if (mode === 'SinglePageOnly' && pageCount !== 1) {
      report({ rule: 'notSingle', objectType: 'document', measured, limit: { value: 1, unit: 'count', op: '=' } });
    }
    if (mode === 'MultiPageRequired' && pageCount < 2) {
      report({ rule: 'onlyOne', objectType: 'document', measured, limit: { value: 2, unit: 'count', op: '>=' } });
    }
    return { pageCount, ...(mode === 'MultipleOf' && { multiple, blanks }) };
  },
});
